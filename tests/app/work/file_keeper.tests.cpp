#include "app/work/file_keeper.h"

#include <catch2/catch.hpp>

#include "core/document/edits/edit.h"
#include "tests/support/folder.h"
#include "tests/support/wait_until.h"

using namespace hydra;
using namespace std::chrono_literals;
using Catch::Contains;

TEST_CASE("file keeper: a file is read while another is written", "[app][files]") {
  const Folder folder;
  const std::string in = folder.file("in.json"), out = folder.file("out.json");
  write_document(default_document(), in);
  FileKeeper files;
  std::atomic<int> woken = 0;
  files.on_finished([&] { ++woken; });
  Document document = default_document();
  for (int k = 1; k <= 5; ++k) {
    document = apply(document, set_cell(Quantity::W_Q, k, k, 1));
    files.write({out, document, k, std::nullopt}, 0ms);
    files.read({in}, 0ms);
    document =
        apply(document, SetSetting{LayerSetting::temperature, 0.5f + static_cast<float>(k)});  // while it is written
    CHECK(files.writing() == out);
    CHECK(files.reading() == in);
    files.finish();
    CHECK(files.has_read());
    const auto read = files.take_read();
    REQUIRE((read && read->opened));
    CHECK(same_document(read->opened->document, default_document()));
    const auto written = files.take_written();
    REQUIRE((written && written->file));
    CHECK(written->writing.lineage == k);
    CHECK(same_document(read_document(out), written->writing.document));
    CHECK_FALSE(same_document(document, written->writing.document));
    CHECK(files.reading().empty());
    CHECK(files.writing().empty());
  }
  test::wait_until([&] { return woken >= 10; });  // woken after it is there
  CHECK(woken == 10);
}

TEST_CASE("file keeper: what fails is said with its name, and the next request is done", "[app][files]") {
  const Folder folder;
  FileKeeper files;
  files.read({folder.file("none.json")}, 20s);
  const auto read = files.take_read();
  REQUIRE(read);
  CHECK_FALSE(read->opened);
  CHECK_THAT(read->fault, Contains("none.json"));
  files.write({folder.file("no/such/folder.json"), default_document(), 0, std::nullopt}, 20s);
  const auto refused = files.take_written();
  REQUIRE(refused);
  CHECK_FALSE(refused->file);
  CHECK_THAT(refused->fault, Contains("folder.json"));

  const std::string path = folder.file("mine.json");
  const KeptFile kept = write_document(default_document(), path);
  std::ofstream(path, std::ios::app) << " ";
  files.write({path, default_document(), 0, kept}, 20s);
  const auto changed = files.take_written();
  REQUIRE(changed);
  CHECK_FALSE(changed->file);
  CHECK(changed->fault.empty());
  files.write({path, default_document(), 0, std::nullopt}, 20s);
  CHECK(files.take_written()->file);
}
