// Why work failed, in words that continue a sentence and end with the remedy.
#pragma once
#include <exception>
#include <string>

namespace hydra {

// "there is not enough memory; fewer tokens or heads need less"
std::string reason_of(const std::exception_ptr& fault);

}  // namespace hydra
