// A sentence on the status line: why an edit was refused, why a key does nothing.
#pragma once
#include <string>
#include <utility>

namespace hydra {

struct Notice {
  std::string sentence;  // empty: none
  bool is_error = false;
  bool is_refusal = false;  // of an edit: goes with the next one that is accepted
  bool insists = false;     // shown though something is pointed at
  double left = 0;          // seconds

  void say(std::string what, double seconds = 12) { *this = {std::move(what), false, false, false, seconds}; }
  void fail(std::string what, double seconds = 12) { *this = {std::move(what), true, false, false, seconds}; }
  void refuse(std::string what) {  // stays until an edit is accepted, at most some seconds
    *this = {std::move(what), true, true, false, 12};
  }
  void insist(double more_seconds) { insists = true, left += more_seconds; }

  void pass(double seconds) {
    if ((left -= seconds) < 0) sentence.clear();
  }
  // An edit was accepted, or what was typed is gone: nothing refused is on the screen any more.
  void forget_refusal() {
    if (is_refusal) sentence.clear();
    is_refusal = false;
  }
  void forget_remark() {  // one that was said in passing goes with the next command
    if (!is_error && !insists) sentence.clear();
  }
};

}  // namespace hydra
