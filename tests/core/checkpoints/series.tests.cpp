// Checkpoints of one training side by side: which are found, in which order, and what is none of them.
#include <filesystem>

#include "core/checkpoints/series.h"
#include "core/document/edits/edit.h"
#include "core/document/model_file.h"
#include "core/error.h"
#include "core/files/whole_file.h"
#include "core/io/file.h"
#include "core/io/on_checkpoint.h"
#include "core/linalg/same_bits.h"
#include "core/tensors/numbers.h"
#include "core/tensors/safetensors.h"
#include "tests/support/checkpoints.h"
#include "tests/support/data.h"

using namespace hydra;
using Catch::Matchers::Contains;

namespace {

namespace fs = std::filesystem;

std::vector<std::uint64_t> numbers_in(const std::optional<CheckpointSeries>& series) {
  std::vector<std::uint64_t> numbers;
  if (series)
    for (const CheckpointSeries::Member& member : series->members) numbers.push_back(member.number);
  return numbers;
}

using Numbers = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("series: folders of a training's checkpoints, by their numbers", "[checkpoints]") {
  const TrainedCheckpoints run({20, 100, 3});
  const std::optional<CheckpointSeries> series = series_of(run.folder_of(20));
  REQUIRE(series);
  CHECK(numbers_in(series) == Numbers{3, 20, 100});
  CHECK(series->here == 1);
  CHECK(series->others.empty());
  CHECK(series->place_of(run.folder_of(100)) == 2);
  CHECK_FALSE(series->place_of(run.folder.path.string()));
  CHECK(series_of(run.folder_of(20) + "/")->here == 1);
  const std::optional<CheckpointSeries> of_folder = series_of(run.folder.path.string());
  CHECK(numbers_in(of_folder) == Numbers{3, 20, 100});
  CHECK(of_folder->here == 2);
  CHECK(model_in_series(run.folder.path.string()) == run.folder_of(100));
  CHECK(model_in_series(run.folder_of(3)) == run.folder_of(3));
}

TEST_CASE("series: files of several numbers go by the last that differs", "[checkpoints]") {
  const TrainedCheckpoints run({1});
  const std::string file = run.folder_of(1) + "/model.safetensors";
  for (const char* name :
       {"epoch_2-step_900.safetensors", "epoch_1-step_1000.safetensors", "epoch_1-step_50.safetensors",
        "model-00001-of-00002.safetensors", "notes_1.txt", "plain.safetensors"})
    fs::copy_file(file, run.folder.path / name);
  fs::copy_file(run.folder_of(1) + "/config.json", run.folder.path / "config.json");
  CHECK(numbers_in(series_of(run.folder.file("epoch_1-step_50.safetensors"))) == Numbers{50, 900, 1000});
  CHECK_FALSE(series_of(run.folder.file("plain.safetensors")));
  CHECK_FALSE(series_of(run.folder.file("model-00001-of-00002.safetensors")));
}

TEST_CASE("series: one checkpoint is none, and another model is told from them", "[checkpoints]") {
  const TrainedCheckpoints one({7});
  CHECK_FALSE(series_of(one.folder_of(7)));
  CHECK(model_in_series(one.folder.path.string()) == one.folder.path.string());
  const TrainedCheckpoints run({1, 2});
  fs::copy(test::data("checkpoints/llama"), run.folder.file("checkpoint-3"));
  fs::copy(test::data("checkpoints/gpt2"), run.folder.file("checkpoint-4"));
  write_whole(run.folder.file("checkpoint-4/config.json"), R"({"model_type": "gpt2", "n_head": 4})");
  fs::create_directory(run.folder.file("checkpoint-5"));
  write_whole(run.folder.file("checkpoint-5/model.safetensors"), "cut");
  const std::optional<CheckpointSeries> series = series_of(run.folder_of(1));
  CHECK(numbers_in(series) == Numbers{1, 2});
  REQUIRE(series->others.size() == 2);
  CHECK_THAT(series->others[0], Contains("checkpoint-3: is another model than checkpoint-1: it has no “h.0."));
  CHECK_THAT(series->others[1], Contains("checkpoint-4: is another model than checkpoint-1: its config says"));
  CHECK_FALSE(series_of(run.folder.file("checkpoint-9")));
  CHECK_FALSE(series_of("/no/such/folder-1"));
}

TEST_CASE("series: a document goes on over another checkpoint with its sentence and its edits", "[checkpoints]") {
  const TrainedCheckpoints run({100, 200});
  Document document = read_document(run.folder_of(100));
  document = apply(document, SetSentence{"3 1 4"});
  document = apply(document, {set_cell(Quantity::W_Q, 2, 3, 7.5f), 0});
  CHECK(changed_whole(document).empty());
  const Document there = read_document(run.folder_of(200)), next = on_checkpoint(document, run.folder_of(200), true);
  CHECK(next.file->path == run.folder_of(200));
  CHECK(next.sentence == "3 1 4");
  CHECK(next.notes.title == "checkpoint-200");
  CHECK((*next.layers[0].weights.W_Q)(2, 3) == 7.5f);
  Mat<float> expected = *there.layers[0].weights.W_Q;
  expected(2, 3) = 7.5f;
  CHECK(Mat<float>(*next.layers[0].weights.W_Q) == expected);
  CHECK(same_bits(next.layers[1].weights.W_1, there.layers[1].weights.W_1));
  CHECK_FALSE(same_bits(next.layers[1].weights.W_1, document.layers[1].weights.W_1));
  CHECK(same_document(on_checkpoint(next, run.folder_of(100), true), document));
  const Document without = on_checkpoint(document, run.folder_of(200), false);
  CHECK(without.sentence == "3 1 4");
  CHECK(same_bits(without.layers[0].weights.W_Q, there.layers[0].weights.W_Q));
}

TEST_CASE("series: what is changed as a whole is named, and another model or none is refused", "[checkpoints]") {
  const TrainedCheckpoints run({100, 200});
  Document document = read_document(run.folder_of(100));
  const Mat<float> ones = Mat<float>::Ones(12, 12);
  CHECK(changed_whole(apply(document, {SetBlock{Quantity::W_O, 0, 0, share(Mat<float>(ones))}, 1})) ==
        std::vector<std::string>{"layers.1.W_O"});
  CHECK(changed_whole(apply(document, {SetKvHeads{1}, 1})) == std::vector<std::string>{"layers.1"});
  const auto refusal = [&](const std::string& path) -> std::string {
    try {
      on_checkpoint(document, path, true);
    } catch (const InputError& fault) {
      return fault.what();
    }
    return "opened";
  };
  CHECK_THAT(refusal(test::data("checkpoints/llama")), Contains("is another model than"));
  fs::remove_all(run.folder_of(200));
  CHECK_THAT(refusal(run.folder_of(200)), Contains("checkpoint-200"));
  CHECK_THAT(refusal(run.folder_of(200)), !Contains("is another model"));
}
