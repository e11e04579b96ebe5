// Being told to end from outside (SIGTERM, SIGHUP, SIGINT): work is kept before the program goes.
#pragma once
#include <atomic>
#include <functional>
#include <thread>

namespace hydra {

// One at a time. The handlers write a byte into a pipe and do nothing else; a thread reads it and wakes the loop.
class EndSignals {
 public:
  explicit EndSignals(std::function<void()> wake);
  ~EndSignals();  // the signals do again what they did before
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;

  int received() const { return received_; }  // 0: none

 private:
  std::function<void()> wake_;
  std::atomic<int> received_{0};
  std::thread reader_;
};

// Ends the program by the signal, as if it had never been caught.
void end_by(int signal);

}  // namespace hydra
