// A window beside the folder of a made model (tests/data/checkpoints), with a tokenizer by letters.
#pragma once
#include <filesystem>

#include "core/files/whole_file.h"
#include "tests/support/data.h"
#include "tests/support/examples.h"
#include "tests/support/folder.h"
#include "tests/support/session.h"

namespace hydra {

// A space is ▁, so that a sentence is cut into its letters.
inline constexpr const char* kLetterTokenizer =
    R"({"model":{"type":"BPE","vocab":{"a":0,"b":1,"c":2,"d":3,"e":4,"f":5,"g":6,"h":7,"i":8,"j":9,"▁":10},)"
    R"("merges":[]},"pre_tokenizer":{"type":"Metaspace","replacement":"▁","prepend_scheme":"never"},"normalizer":null,)"
    R"("decoder":null,"post_processor":null,"added_tokens":[]})";

struct ModelSession : Session {
  explicit ModelSession(const std::string& name) : Session(test::example("trained_grammar"), {1280, 800}) {
    std::filesystem::create_directory(path());
    for (const char* file : {"model.safetensors", "config.json"})
      std::filesystem::copy_file(test::data("checkpoints/" + name + "/" + file), path() + "/" + file);
    write_whole(path() + "/tokenizer.json", kLetterTokenizer);
  }
  void open() {
    app.act(act::Open{path(), false});
    settle();
  }
  std::string path() const { return folder.file("model"); }
  Folder folder;
};

}  // namespace hydra
