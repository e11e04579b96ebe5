#include "app/platform/desktop/end_signals.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace hydra {

namespace {

constexpr int kSignals[] = {SIGTERM, SIGHUP, SIGINT};
constexpr unsigned char kOver = 0;  // no signal has this number

int pipe_ends[2] = {-1, -1};  // read, write
struct sigaction before[std::size(kSignals)];

extern "C" void pass_on(int signal) {
  const int kept = errno;
  const auto byte = static_cast<unsigned char>(signal);
  (void)!::write(pipe_ends[1], &byte, 1);
  errno = kept;
}

unsigned char next_byte() {
  unsigned char byte = kOver;
  while (::read(pipe_ends[0], &byte, 1) < 0 && errno == EINTR) {
  }
  return byte;
}

}  // namespace

EndSignals::EndSignals(std::function<void()> wake) : wake_(std::move(wake)) {
  if (::pipe(pipe_ends) != 0) return;
  for (const int end : pipe_ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
  reader_ = std::thread([this] {
    for (unsigned char byte; (byte = next_byte()) != kOver;) {
      received_ = byte;
      wake_();
    }
  });
  struct sigaction action {};
  action.sa_handler = pass_on;
  ::sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  for (std::size_t k = 0; k < std::size(kSignals); ++k) {
    ::sigaction(kSignals[k], nullptr, &before[k]);
    if (before[k].sa_handler != SIG_IGN) ::sigaction(kSignals[k], &action, nullptr);  // nohup stays so
  }
}

EndSignals::~EndSignals() {
  if (!reader_.joinable()) return;
  for (std::size_t k = 0; k < std::size(kSignals); ++k) ::sigaction(kSignals[k], &before[k], nullptr);
  (void)!::write(pipe_ends[1], &kOver, 1);
  reader_.join();
  for (int& end : pipe_ends) ::close(std::exchange(end, -1));
}

void end_by(int signal) {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  ::sigaction(signal, &action, nullptr);
  ::raise(signal);
}

}  // namespace hydra
