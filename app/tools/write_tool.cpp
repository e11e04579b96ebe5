#include "app/tools/write_tool.h"

#include <utility>

#include "core/document/model.h"
#include "core/document/model_file.h"
#include "core/text/wording.h"
#include "core/writing/continued.h"
#include "core/writing/writing.h"

namespace hydra {

namespace {

constexpr float kBetweenWords = 0.2f;  // seconds, so that each can be seen
constexpr double kSaidFor = 6;         // seconds, of the notice

}  // namespace

void WriteTool::start(const act::Write& asked, const Document& document) {
  chooser_.emplace(Choosing{.temperature = asked.temperature}, asked.seed, next_words_of(document).size());
  left_ = asked.words;
  sentence_ = document.sentence;
  rested_ = kBetweenWords;
}

void WriteTool::end(Notice& notice, Outbox& out, std::string said) {
  stop();
  out.commit();
  if (!said.empty()) notice.say(std::move(said), kSaidFor);
}

void WriteTool::write(const Now& now, Notice& notice, Outbox& out) {
  const Trace& trace = *now.trace;
  const auto tokens = std::ssize(trace.tokens);
  if (std::string full = why_not_continued(now.document, tokens); !full.empty())
    return end(notice, out, std::move(full));
  ChosenWord word;
  if (!chooser_->choose(trace.model.logits.row(tokens - 1), word))
    return end(notice, out, wording("tools:write.no_word"));
  if (ends_text(now.document, word.chosen.word)) return end(notice, out, wording("tools:write.end_of_text"));
  SetSentence edit = continued(now.document, trace.tokens, word.chosen.word);
  sentence_ = edit.sentence;
  rested_ = 0;
  out.preview(std::move(edit));
  if (left_ > 0 && --left_ == 0) end(notice, out, "");
}

void WriteTool::update(const Now& now, Notice& notice, Outbox& out) {
  if (!chooser_) return;
  if (now.document.sentence != sentence_) {  // something else was edited meanwhile
    chooser_.reset();
    return;
  }
  rested_ += now.seconds;
  if (now.trace && rested_ >= kBetweenWords) write(now, notice, out);
}

}  // namespace hydra
