// Tokenizers that were published, against the ids that others have for the same texts.
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/error.h"
#include "core/tokenizers/tokenizer_files.h"
#include "tests/core/tokenizers/tiny.h"

using namespace hydra;
using namespace hydra::test;
using Published = nlohmann::json;
using Ids = std::vector<Index>;

namespace {

Published json_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return Published::parse(file);
}

std::string bytes_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Ids numbers_in(const std::string& line) {
  std::istringstream words(line);
  Ids ids;
  for (Index id = 0; words >> id;) ids.push_back(id);
  return ids;
}

struct Case {
  std::string text;
  Ids ids;
};

// llama.cpp's: texts with a line between them, and a line of ids for each.
std::vector<Case> ggml_cases(const std::string& folder, const std::string& name) {
  const std::string base = folder + "/tokenizers/ggml-vocab/ggml-vocab-" + name + ".gguf";
  const std::string texts = bytes_of_file(base + ".inp"), mark = "\n__ggml_vocab_test__\n";
  std::istringstream lines(bytes_of_file(base + ".out"));
  std::vector<Case> cases;
  for (std::size_t at = 0; at <= texts.size();) {
    const std::size_t end = std::min(texts.find(mark, at), texts.size());
    std::string line;
    std::getline(lines, line);
    cases.push_back({texts.substr(at, end - at), numbers_in(line)});
    at = end + mark.size();
  }
  return cases;
}

// How many agree; those that do not are named.
std::size_t agreeing(const Tokenizer& tokenizer, const std::vector<Case>& cases, bool with_template) {
  std::size_t count = 0;
  for (const Case& one : cases) {
    CAPTURE(one.text);
    const bool agrees = ids_of(tokenizer, one.text, with_template) == one.ids;
    CHECK(agrees);
    count += agrees ? 1 : 0;
  }
  return count;
}

std::vector<Case> multilingual(const std::string& folder, const std::string& name) {
  std::map<std::string, std::string> texts;
  const Published inputs = json_of(folder + "/multilingual_inputs.json"), file = json_of(folder + "/" + name);
  for (const Published& one : inputs) texts[one["id"]] = one["text"];
  std::vector<Case> cases;
  for (const Published& one : file["entries"]) cases.push_back({texts.at(one["id"]), one["input_ids"].get<Ids>()});
  return cases;
}

}  // namespace

TEST_CASE("published tokenizers: llama.cpp's texts", "[tokenizers]") {
  const std::string folder = models_folder();
  if (folder.empty()) return;
  const std::string swift = folder + "/tokenizers/swift-transformers/";
  const std::pair<const char*, const char*> files[] = {{"gpt-2", "gpt2_tokenizer.json"},
                                                       {"gpt-2", "gpt2-vocab.json"},
                                                       {"falcon", "falcon_tokenizer.json"},
                                                       {"bert-bge", "bert-vocab.txt"},
                                                       {"bert-bge", "bert_tokenizer_made_from_bert-vocab.json"}};
  for (const auto& [name, file] : files) {
    CAPTURE(file);
    CHECK(agreeing(read_tokenizer(swift + file), ggml_cases(folder, name), false) == 47);
  }
}

TEST_CASE("published tokenizers: 83 texts in many scripts", "[tokenizers]") {
  const std::string models = models_folder(), folder = models + "/tokenizers/swift-transformers";
  if (models.empty()) return;
  CHECK(agreeing(read_tokenizer(folder + "/gpt2_tokenizer.json"), multilingual(folder, "gpt2_multilingual.json"),
                 true) == 83);
  CHECK(agreeing(read_tokenizer(folder + "/bert-vocab.txt"), multilingual(folder, "bge_small_multilingual.json"),
                 true) == 83);
}

TEST_CASE("published tokenizers: 10,570 questions by BERT", "[tokenizers]") {
  const std::string folder = models_folder();
  if (folder.empty()) return;
  const std::string swift = folder + "/tokenizers/swift-transformers/";
  const Tokenizer bert = read_tokenizer(swift + "bert-vocab.txt");
  const Published texts = json_of(swift + "question_tokens.json"), ids = json_of(swift + "tokenized_questions.json");
  REQUIRE(texts.size() == ids.size());
  std::size_t count = 0;
  for (std::size_t k = 0; k < texts.size(); ++k)
    count += ids_of(bert, texts[k]["original"].get<std::string>(), false) == ids[k].get<Ids>() ? 1 : 0;
  CHECK(count == texts.size());
}

TEST_CASE("published tokenizers: SentencePiece's own ids", "[tokenizers]") {
  const std::string folder = models_folder();
  if (folder.empty()) return;
  const std::string place = folder + "/tokenizers/sentencepiece/";
  const Published vectors = json_of(place + "vectors.json");
  for (const char* const file : {"test_model.model", "test_ja_model.model", "../curated-tokenizers/toy.model"}) {
    CAPTURE(file);
    const Tokenizer tokenizer = read_tokenizer(place + file);
    CHECK(tokenizer.size() == vectors[file]["size"].get<Index>());
    std::vector<Case> cases;
    for (const Published& one : vectors[file]["cases"]) {
      cases.push_back({one["text"], one["ids"].get<Ids>()});
      CHECK(tokenizer.decode(cases.back().ids) == one["decoded"].get<std::string>());
    }
    CHECK(agreeing(tokenizer, cases, false) == 112);
  }
}

TEST_CASE("published tokenizers: small models", "[tokenizers]") {
  const std::string folder = models_folder();
  if (folder.empty()) return;
  const Ids gpt2 = {40, 416, 79, 206, 750, 12, 526, 301, 196, 194, 328, 14};
  const Tokenizer random = read_tokenizer(folder + "/hf-tiny-random-gpt2");
  CHECK(ids_of(random, "Hello world, this is a test.") == gpt2);
  // Without tokenizer.json it is the same but for its stamp.
  const Tokenizer older = read_tokenizer(folder + "/hf-tiny-random-gpt2/vocab.json");
  CHECK(ids_of(older, "Hello world, this is a test.<|endoftext|>") ==
        ids_of(random, "Hello world, this is a test.<|endoftext|>"));
  CHECK(read_tokenizer(folder + "/hf-tiny-bert").size() == 256);
  CHECK(read_tokenizer(folder + "/hf-tiny-open-clip").size() == 97);
  // What stories260K writes, from its ids and back.
  const Ids greedy = numbers_in(bytes_of_file(folder + "/llama2c-stories260k/greedy_ids.txt"));
  for (const char* const file : {"tokenizer.bin", "tok512_old_format.bin"}) {
    CAPTURE(file);
    const Tokenizer llama = read_tokenizer(folder + "/llama2c-stories260k/" + file);
    const std::string story = llama.decode(greedy);
    CHECK(story.starts_with("Once upon a time, there was a little girl named Lily. She loved to play outside"));
    CHECK(ids_of(llama, story) == greedy);
  }
}

TEST_CASE("published tokenizers: texts come back from byte-level ids", "[tokenizers]") {
  const std::string folder = models_folder();
  if (folder.empty()) return;
  const std::string text = bytes_of_file(folder + "/tokenizers/sentencepiece/botchan.txt").substr(0, 100'000);
  const std::string dutch = bytes_of_file(folder + "/tokenizers/curated-tokenizers/troonrede.txt");
  for (const char* const file :
       {"swift-transformers/gpt2_tokenizer.json", "swift-transformers/falcon_tokenizer.json"}) {
    const Tokenizer tokenizer = read_tokenizer(folder + "/tokenizers/" + file);
    CHECK(tokenizer.decode(ids_of(tokenizer, text)) == text);
    CHECK(tokenizer.decode(ids_of(tokenizer, dutch)) == dutch);
  }
  // A vocabulary that was cut to its first merges: its ids have gaps, and it has not all bytes.
  const Tokenizer robbert = read_tokenizer(folder + "/tokenizers/curated-tokenizers/robbert-vocab-1000.json");
  CHECK(robbert.decode(ids_of(robbert, dutch)).starts_with("Leden van de Staten-Generaal,Tien jaar geleden"));
}
