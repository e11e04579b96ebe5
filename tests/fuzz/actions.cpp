// Lists of actions, and scenes: every text is refused with one sentence, or read, spelled and read back to the same,
// and takes no more than its actions and a small multiple of its bytes.
#include "app/scene/actions/action_list.h"
#include "app/scene/actions/action_spelling.h"
#include "app/scene/actions/apply.h"
#include "app/scene/scene.h"
#include "core/error.h"
#include "core/io/opening.h"
#include "tests/core/document/random_edit.h"
#include "tests/fuzz/json_changes.h"

using namespace hydra;
using fuzz::law;

namespace {

// One of every kind that a list may have.
const char* const kBases[] = {
    R"({"GoTo":{"layer":1,"head":3}})",
    R"({"Select":{"cell":"layers.0.heads.1.scores[3,0]","by":["layers.0.Y[1,1]"]}})",
    R"({"Unselect":{}})",
    R"({"SelectMade":{"cell":{"name":"rollout","row":1,"col":2}}})",
    R"({"Inspect":{"site":"layers.0.W_O"}})",
    R"({"Show":{"side":"notes","open":false}})",
    R"({"Choose":{"key":"stream.strips","value":"\"cosine\""}})",
    R"({"Choose":{"key":"arc_threshold","value":"0.25"}})",
    R"({"Choose":{"key":"selected_heads","value":"[true,false]"}})",
    R"({"Choose":{"key":"stream.circuit.line","value":"{\"layer\":0,\"head\":1,\"score\":0.5}"}})",
    R"({"Choose":{"key":"tradeoff.trained.rates","value":"[0.003,0.01]"}})",
    R"({"Choose":{"key":"learn.setup.seed","value":"18446744073709551615"}})",
    R"({"Try":{"edit":{"what":{"SetGate":{"head":2,"gate":0.5}},"layer":0}}})",
    R"({"Do":{"edit":{"what":{"SetBlock":{"quantity":"W_Q","row":0,"col":1,"values":{"rows":1,"cols":2,"values":[2,-0.5]}}}}}})",
    R"({"Do":{"edit":{"what":{"SetMask":{"mask":{"kind":"causal","allowed":null,"window":3},"how":"x"}},"layer":1}}})",
    R"({"Do":{"edit":{"what":{"ReplaceDocument":{"name":"x","document":"{\"hydrascope\":1,\"d_model\":4}"}}}}})",
    R"({"Do":{"edit":{"what":{"SetPads":{"pads":{"count":3,"placed":true}}}}}})",
    R"({"Collapse":{"amount":0.4,"anew":true}})",
    R"({"Keep":{}})",
    R"({"TakeBack":{}})",
    R"({"Undo":{}})",
    R"({"Redo":{}})",
    R"({"Open":{"path":"a \"b\".json","as_text":true}})",
    R"({"OpenExample":{"file":"slices.json"}})",
    R"({"PutBeside":{"path":"slices.json"}})",
    R"({"KeepBeside":{}})",
    R"({"PutKept":{"which":0}})",
    R"({"OpenBeside":{}})",
    R"({"GoToCheckpoint":{"path":"checkpoint-200","with_edits":true}})",
    R"({"Repel":{"steps":5}})",
    R"({"Do":{"edit":{"what":{"SetHeadRule":{"rule":{"head":1,"mask":"causal","window":3,"temperature":0.5}}},"layer":0}}})",
    R"({"Write":{"words":5,"temperature":0.5,"seed":3}})",
    R"({"StopWriting":{}})",
    R"({"Solve":{"target":"reproduce","feature":4,"head":1,"all_sentences":false}})",
    R"({"LearnGoTo":{"branch":0,"step":10,"done":false}})",
    R"({"LearnTrain":{"steps":3}})",
    R"({"LearnRename":{"branch":1,"name":"slow"}})",
    R"({"LearnChoose":{"task":"king"}})"};

const std::vector<std::string> kWords = {
    "key",   "value",      "edit",  "what",   "layer",        "head",     "cell",          "site",  "amount",
    "steps", "rows",       "cols",  "values", "W_Q",          "notes",    "view",          "heads", "learn.setup",
    "mask",  "likeness",   "roles", "null",   "Undo",         "SetHeads", "SetWeights",    "Quit",  "layers.0.W_Q[0,0]",
    "place", "1e300",      "-1",    "[]",     "{\"layer\":1", "tradeoff", "tradeoff.page", "",      "\x01",
    "token", "breadcrumb", "nan",   "true",   "selection",    "\"flow\"", "head_beyond"};

std::string line_from(fuzz::Bytes& bytes) {
  const std::size_t kind = bytes.below(std::size(kBases) + 4);
  if (kind >= std::size(kBases)) {
    static const Document document = hydra::apply(hydra::apply(default_document(), SetModelWidth{8}), SetHeads{2});
    Random random(bytes.word());
    try {
      return spelled(Action(act::Do{random_edit(random, document)}));
    } catch (const InputError&) {  // too large to be spelled
      return "# too large";
    }
  }
  fuzz::Value json = fuzz::Value::parse(kBases[kind]);
  for (int k = bytes.byte() % 4; k > 0; --k) fuzz::change_one(json, bytes, kWords);
  return json.dump(-1, ' ', false, fuzz::Value::error_handler_t::replace);
}

std::string text_from(fuzz::Bytes& bytes) {
  if (bytes.byte() % 8 == 0) return std::string(bytes.rest());
  std::string text;
  for (int k = bytes.byte() % 8; k >= 0; --k) text += line_from(bytes) + (bytes.byte() % 16 == 0 ? "\r\n" : "\n");
  if (bytes.byte() % 4 == 0) fuzz::change_bytes(text, bytes);
  return text;
}

std::string spelled_again(const std::vector<ListedAction>& list) {
  std::vector<Action> actions;
  for (const ListedAction& one : list) actions.push_back(one.action);
  return spelled(actions);
}

// A document is as large as it says, whatever its text.
bool replaces(const Action& action) {
  const auto* done = std::get_if<act::Do>(&action);
  const auto* tried = std::get_if<act::Try>(&action);
  const Edit* edit = done ? &done->edit : tried ? &tried->edit : nullptr;
  return edit && std::holds_alternative<ReplaceDocument>(edit->what);
}

void check_costs(const std::vector<ListedAction>& list, const std::string& text) {
  std::size_t bytes = 0;
  for (const ListedAction& one : list)
    if (!replaces(one.action)) bytes += bytes_of(one.action);
  law(bytes <= list.size() * sizeof(Action) + 16 * text.size(), "what is read costs a small multiple of its bytes",
      text);
}

// What is chosen, whatever it is, is a scene that goes there and back.
void check_scene(const std::vector<ListedAction>& list, const std::string& text) {
  ViewState view;
  for (const ListedAction& one : list) {
    const auto* choose = std::get_if<act::Choose>(&one.action);
    if (!choose) continue;  // whoever performs others has looked whether they can be
    try {
      hydra::apply(view, *choose);
    } catch (const InputError& fault) {
      fuzz::check_refusal(fault.what(), text);
    }
  }
  const std::string scene = scene_text(view);
  law(scene.find('\n') == scene.npos, "a scene is a line", scene);
  try {
    law(scene_text(parse_scene(scene, "s")) == scene, "a scene comes back", scene);
  } catch (const InputError& fault) {
    law(false, fault.what(), scene);
  }
}

void check_scene_text(const std::string& text) {
  try {
    const std::string scene = scene_text(parse_scene(text, "s"));
    law(scene_text(parse_scene(scene, "s")) == scene, "a scene that was read comes back", text);
  } catch (const InputError& fault) {
    fuzz::check_refusal(fault.what(), text);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  if (bytes.byte() % 8 == 7) {
    fuzz::Value json = fuzz::Value::parse(scene_text(ViewState()));
    for (int k = bytes.byte() % 6; k > 0; --k) fuzz::change_one(json, bytes, kWords);
    check_scene_text(json.dump(-1, ' ', false, fuzz::Value::error_handler_t::replace));
    return 0;
  }
  const std::string text = text_from(bytes);
  try {
    const std::vector<ListedAction> list = parse_actions(text, "f");
    check_costs(list, text);
    check_scene(list, text);
    const std::string written = spelled_again(list);
    try {
      law(spelled_again(parse_actions(written, "again")) == written, "what was spelled is read to the same", text);
    } catch (const InputError& fault) {
      law(false, fault.what(), text);
    }
  } catch (const InputError& fault) {
    fuzz::check_refusal(fault.what(), text);
  }
  return 0;
}
