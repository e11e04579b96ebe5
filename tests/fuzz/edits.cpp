// Edits: random scripts, each four bytes an edit or a step of the history, against the plain model and a list of texts.
#include "core/document/edits/history.h"
#include "core/document/evaluate.h"
#include "core/error.h"
#include "core/io/file.h"
#include "tests/fuzz/plain_model.h"
#include "tests/fuzz/target.h"
#include "tests/support/models/wild_documents.h"

using namespace hydra;
using fuzz::law;

namespace {

constexpr int kMostSteps = 60;

// The history as a list of texts and a place in it.
struct Texts {
  std::vector<std::string> all;
  std::size_t now = 0;
  std::string draft;  // empty: no gesture

  const std::string& current() const { return draft.empty() ? all[now] : draft; }
  void commit() {
    if (draft.empty()) return;
    if (draft != all[now]) {
      all.resize(now + 1);
      all.push_back(draft);
      ++now;
    }
    draft.clear();
  }
};

class Script {
 public:
  Script() : history_(hydra::apply(hydra::apply(default_document(), SetModelWidth{8}), SetHeads{2})) {
    texts_.all.push_back(document_text(history_.current()));
    trace_ = evaluate(history_.current());
  }

  void step(std::uint32_t choice) {
    switch (choice % 16) {
      case 0:
      case 1:
        undo();
        break;
      case 2:
        redo();
        break;
      case 3:
        history_.cancel();
        texts_.draft.clear();
        break;
      case 4:
        history_.commit();
        texts_.commit();
        break;
      default:
        edit(choice);
    }
    check(choice);
  }

 private:
  void undo() {
    history_.undo();
    if (!texts_.draft.empty())
      texts_.draft.clear();
    else if (texts_.now > 0)
      --texts_.now;
  }
  void redo() {
    const bool may = texts_.draft.empty() && texts_.now + 1 < texts_.all.size();
    law(history_.can_redo() == may, "redo is possible when something was undone");
    history_.redo();
    if (may) ++texts_.now;
  }

  void edit(std::uint32_t choice) {
    const bool preview = choice % 16 == 5;
    if (!preview) {
      history_.commit();
      texts_.commit();
    } else if (!texts_.draft.empty()) {  // a preview begins where the gesture began
      history_.cancel();
      texts_.draft.clear();
    }
    Random random(choice);
    const Document before = history_.current();
    const Edit edit = test::wild_edit(random, before);
    bool done = true;
    try {
      preview ? history_.preview(edit) : history_.apply(edit);
    } catch (const InputError&) {
      done = false;
    }
    if (std::holds_alternative<AddLayer>(edit.what) || std::holds_alternative<RemoveLayer>(edit.what))
      check_stack(edit, before, done);
    else if (const auto* to = std::get_if<SwitchModel>(&edit.what))
      check_switch(name_of(to->to), before, done);
    else
      check_layers(edit, before, done);
    if (done && !std::holds_alternative<SwitchModel>(edit.what)) check_aside(edit, before);
    if (!done) return;
    texts_.draft = document_text(history_.current());
    if (!preview) texts_.commit();
  }

  // Every layer is what the model makes of it, or what it was.
  void check_layers(const Edit& edit, const Document& before, bool done) {
    const std::string name = describe(edit);
    const Document& after = history_.current();
    law(before.layers.size() == after.layers.size(), "an edit of a layer leaves the others where they are", name);
    for (int k = 0; k < static_cast<int>(before.layers.size()); ++k) {
      fuzz::Plain plain = fuzz::plain_of(before, k);
      if (k == edit.layer || fuzz::is_of_all(edit)) {
        const bool expected = fuzz::change(plain, edit, before, done ? &after : nullptr, k);
        law(expected == done, done ? "the model refuses what was done" : "the model does what was refused", name);
      }
      if (!done) continue;
      const std::string where = fuzz::difference(plain, fuzz::plain_of(after, k));
      law(where.empty(), "an edit does what the model does", name + ": " + where);
    }
  }

  // One layer more, like the one before it, or one less; the others are what they were.
  void check_stack(const Edit& edit, const Document& before, bool done) {
    const Document& after = history_.current();
    const bool adds = std::holds_alternative<AddLayer>(edit.what);
    const int layers = static_cast<int>(before.layers.size()), step = adds ? 1 : -1;
    law(done == (adds || layers > 1), "a layer is added, and removed unless it is the only one");
    if (!done) return;
    law(static_cast<int>(after.layers.size()) == layers + step, "there is one layer more, or one less");
    for (int k = 0; k < layers; ++k) {
      if (!adds && k == edit.layer) continue;
      const fuzz::Plain now = fuzz::plain_of(after, k > edit.layer ? k + step : k);
      law(fuzz::difference(fuzz::plain_of(before, k), now).empty(), "the other layers stay as they are");
    }
    if (!adds) return;
    const fuzz::Plain like = fuzz::plain_of(before, edit.layer), added = fuzz::plain_of(after, edit.layer + 1);
    law(added.heads == like.heads && added.kv_heads == like.kv_heads && added.mask == like.mask &&
            added.allowed == like.allowed && added.own == like.own && added.scale == like.scale &&
            added.temperature == like.temperature && added.split == like.split,
        "an added layer is cut and masked like the one before it");
    for (int k = 0; k < layers; ++k)
      law(added.weights.source.seed != before.layer(k).source.seed, "an added layer has a seed of its own");
  }

  // Another model takes the place of the present one; only an untrained one is made where there is none.
  void check_switch(const std::string& to, const Document& before, bool done) {
    fuzz::PlainModels plain = fuzz::models_of(before);
    const fuzz::PlainModels now = fuzz::models_of(history_.current());
    if (fuzz::switch_to(plain, to)) {
      law(done && now.now == plain.now && now.aside == plain.aside, "a switch puts one aside and takes the other", to);
      return;
    }
    law(!done || to == "untrained", "no model is made but an untrained one", to);
    if (!done) return;
    plain.aside.push_back(plain.now);
    law(now.now.kind == to && now.aside == plain.aside, "an untrained one is made beside those that there are");
    law(std::ranges::all_of(history_.current().layers, is_untrained), "it is just what its seeds give");
  }

  // Models put aside stay as they are; what is said of the text is said to each of them.
  void check_aside(const Edit& edit, const Document& before) {
    const Document& after = history_.current();
    law(before.aside.size() == after.aside.size(), "an edit leaves as many models aside as there were");
    const bool of_text =
        std::holds_alternative<SetSentence>(edit.what) || std::holds_alternative<SetWordFeatures>(edit.what);
    for (std::size_t k = 0; k < before.aside.size(); ++k) {
      Document alone = with_model(before, before.aside[k]);
      if (of_text) alone = hydra::apply(alone, edit);
      if (tokens_of(alone) != tokens_of(after)) continue;  // cut by the words that it knows
      static_cast<Text&>(alone) = after;
      law(document_text(alone) == document_text(with_model(after, after.aside[k])),
          "an edit leaves the models put aside alone", describe(edit));
    }
  }

  void check(std::uint32_t choice) {
    const Document& document = history_.current();
    try {
      check_document(document);
      const std::string text = document_text(document);
      law(text == texts_.current(), "undo, redo and gestures go through the same documents", text);
      law(same_document(parse_document(text, "f"), document), "every document reads back", text);
    } catch (const InputError& fault) {
      law(false, fault.what());
    }
    if (choice % 5 != 0) return;
    trace_ = evaluate(document, trace_.get());
    law(trace_text(*trace_) == trace_text(*evaluate(document)), "incremental equals from scratch");
  }

  History history_;
  Texts texts_;
  std::shared_ptr<const Trace> trace_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  Script script;
  for (int k = 0; k < kMostSteps && !bytes.empty(); ++k) script.step(bytes.word());
  return 0;
}
