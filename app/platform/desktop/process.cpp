#include "app/platform/process.h"

#include <time.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace hydra {

// In steps of the system's clock tick, 10 ms as a rule.
double seconds_since_start() {
  std::ifstream file("/proc/self/stat");
  std::string stat((std::istreambuf_iterator<char>(file)), {});
  std::istringstream fields(stat.substr(stat.rfind(')') + 1));  // the name before may hold blanks
  std::string field;
  for (int k = 3; k <= 22; ++k) fields >> field;  // 22: start time in ticks since boot; the state is field 3
  const double start = std::stod(field) / static_cast<double>(::sysconf(_SC_CLK_TCK));
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec) - start;
}

namespace {

struct Megabytes {
  double resident = 0, of_files = 0;
};
Megabytes megabytes() {
  std::ifstream file("/proc/self/statm");
  double total = 0, resident = 0, of_files = 0;
  file >> total >> resident >> of_files;
  const double page = static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1024 * 1024);
  return {resident * page, of_files * page};
}

}  // namespace

double resident_megabytes() { return megabytes().resident; }
double anonymous_megabytes() { return megabytes().resident - megabytes().of_files; }

bool is_watched() { return ::isatty(STDERR_FILENO) != 0; }

}  // namespace hydra
