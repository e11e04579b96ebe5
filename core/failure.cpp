#include "core/failure.h"

#include <new>
#include <system_error>

#include "core/error.h"

namespace hydra {

std::string reason_of(const std::exception_ptr& fault) {
  try {
    std::rethrow_exception(fault);
  } catch (const InputError& wrong) {
    return wrong.what();
  } catch (const TooLong& refused) {
    return refused.what();
  } catch (const std::bad_alloc&) {
    return "there is not enough memory; fewer tokens or heads need less";
  } catch (const std::system_error& system) {
    return std::string("the system refused (") + system.what() + "); closing other programs may help";
  } catch (const std::exception& other) {
    return std::string(other.what()) + "; undo the last change";
  } catch (...) {
    return "of a fault of the program; undo the last change";
  }
}

}  // namespace hydra
