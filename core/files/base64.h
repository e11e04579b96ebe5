// Bytes as characters (RFC 4648).
#pragma once
#include <string>
#include <string_view>

namespace hydra {

std::string base64(std::string_view bytes);     // padded with =
std::string base64url(std::string_view bytes);  // with - and _, without padding

}  // namespace hydra
