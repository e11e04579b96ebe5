// Writing: the model goes on with the text, a word at a time, each seen before the next: it is chosen by the trace's
// own logits after the last token. One gesture in all, which ends after so many words, at the end of a text or of the
// room that there is, when it is stopped, or when something else is edited.
#pragma once
#include "app/scene/actions/actions.h"
#include "app/scene/notice.h"
#include "core/attention/trace.h"
#include "core/writing/choosing.h"

namespace hydra {

class WriteTool {
 public:
  struct Now {
    const Document& document;
    const Trace* trace;  // of the document; null: not there yet
    float seconds;       // since the last frame
  };

  void start(const act::Write& asked, const Document& document);
  void stop() { chooser_.reset(); }  // the gesture is ended by whoever stops it
  void update(const Now& now, Notice& notice, Outbox& out);
  bool under_way() const { return chooser_.has_value(); }

 private:
  void write(const Now& now, Notice& notice, Outbox& out);
  void end(Notice& notice, Outbox& out, std::string said);

  std::optional<Chooser> chooser_;
  int left_ = 0;          // words to write; 0: as many as there is room for
  std::string sentence_;  // as the last word left it
  float rested_ = 0;      // seconds since
};

}  // namespace hydra
