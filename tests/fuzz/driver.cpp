// The engine where there is no libFuzzer: the files of the corpus, then changes of them for as long as is asked for.
//   TARGET [-seconds=N] [-runs=N] [-seed=N] FILE|FOLDER...
#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "core/linalg/random.h"
#include "tests/fuzz/target.h"

namespace {

using Input = std::vector<std::uint8_t>;

Input bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Input changed(const std::vector<Input>& corpus, hydra::Random& random) {
  const auto below = [&](std::size_t count) { return static_cast<std::size_t>(random.bits() % count); };
  Input input = corpus.empty() || below(8) == 0 ? Input{} : corpus[below(corpus.size())];
  if (input.empty())
    for (std::size_t k = below(200); k > 0; --k) input.push_back(static_cast<std::uint8_t>(random.bits()));
  for (std::size_t k = 1 + below(6); k > 0 && !input.empty(); --k) {
    const auto at = static_cast<std::ptrdiff_t>(below(input.size()));
    if (below(4) == 0)
      input.erase(input.begin() + at);
    else if (below(3) == 0)
      input.insert(input.begin() + at, static_cast<std::uint8_t>(random.bits()));
    else
      input[static_cast<std::size_t>(at)] = static_cast<std::uint8_t>(random.bits());
  }
  return input;
}

// What breaks a law, or takes so long, stays in a file, as libFuzzer leaves it.
constexpr unsigned kMostSeconds = 120;
const Input* under_test = nullptr;
void keep(int signal) {
  const int file = ::open("crash-last", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (under_test != nullptr) (void)!::write(file, under_test->data(), under_test->size());
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void run(const Input& input) {
  under_test = &input;
  ::alarm(kMostSeconds);
  LLVMFuzzerTestOneInput(input.data(), input.size());
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<Input> corpus;
  double seconds = 0;
  long most = std::numeric_limits<long>::max(), runs = 0;
  std::uint64_t seed = 1;
  for (int k = 1; k < argc; ++k) {
    const std::string argument = argv[k];
    if (argument.starts_with("-seconds="))
      seconds = std::stod(argument.substr(9));
    else if (argument.starts_with("-runs="))
      most = std::stol(argument.substr(6)), seconds = 1e9;
    else if (argument.starts_with("-seed="))
      seed = std::stoull(argument.substr(6));
    else if (std::filesystem::is_directory(argument)) {
      for (const auto& entry : std::filesystem::directory_iterator(argument)) corpus.push_back(bytes_of(entry.path()));
    } else {
      corpus.push_back(bytes_of(argument));
    }
  }
  for (const int signal : {SIGABRT, SIGALRM, SIGSEGV}) std::signal(signal, keep);
  for (const Input& input : corpus) run(input);
  hydra::Random random(seed);
  const auto begin = std::chrono::steady_clock::now();
  const auto passed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  for (; runs < most && passed() < seconds; ++runs) {
    const Input input = changed(corpus, random);
    run(input);
  }
  std::printf("%zu files of the corpus, %ld changes of them, no law broken\n", corpus.size(), runs);
}
