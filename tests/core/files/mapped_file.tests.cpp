#include "core/files/mapped_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <thread>

#include "tests/core/tensors/made_files.h"

using namespace hydra;

TEST_CASE("mapped files: the bytes are those that were written, of an empty file and of a pipe as well", "[files]") {
  const made::Folder folder;
  for (const std::string& content : {std::string("some bytes"), std::string()}) {
    std::FILE* const file = std::fopen((folder / "a").c_str(), "wb");
    std::fwrite(content.data(), 1, content.size(), file);
    std::fclose(file);
    const FileBytes mapped = map_file(folder / "a");
    REQUIRE(text_of(mapped.bytes) == content);
    REQUIRE(mapped.name == folder / "a");
  }
  REQUIRE(made::refusal([&] { map_file(folder.path()); }) == folder.path() + ": is a directory, and a file is needed");
  REQUIRE(made::refusal([&] { map_file(folder / "b"); }) ==
          (folder / "b") + ": cannot be read: No such file or directory");
  // A pipe, which has no size and can be read once.
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  std::thread writer([&] {
    std::FILE* const pipe = std::fopen((folder / "pipe").c_str(), "wb");
    std::fputs("through a pipe", pipe);
    std::fclose(pipe);
  });
  const FileBytes piped = map_file(folder / "pipe");
  writer.join();
  REQUIRE(text_of(piped.bytes) == "through a pipe");
}

TEST_CASE("mapped files: a copy to change shares what is not changed, and leaves file and original as they are",
          "[files]") {
  const made::Folder folder;
  const std::string path = folder / "numbers";
  std::string content(100'000, 'a');
  for (std::size_t k = 0; k < content.size(); ++k) content[k] = static_cast<char>('a' + k % 26);
  std::FILE* const numbers = std::fopen(path.c_str(), "wb");
  std::fwrite(content.data(), 1, content.size(), numbers);
  std::fclose(numbers);
  const FileBytes file = map_file(path);
  std::optional<ChangedBytes> first = copy_to_change(file.bytes.subspan(5000, 90'000), std::vector<ByteRange>{{70, 2}});
  REQUIRE(first);
  first->first[70] = std::byte{'X'}, first->first[71] = std::byte{'Y'};
  CHECK(first->own < 9000);
  std::string expected = content.substr(5000, 90'000);
  expected[70] = 'X', expected[71] = 'Y';
  CHECK(text_of({first->first, 90'000}) == expected);
  // Of a copy once more, from its middle on, over the end of a page.
  const std::vector<ByteRange> changed{{4000, 200}, {60'000, 1}};
  const std::optional<ChangedBytes> second = copy_to_change({first->first + 10, 80'000}, changed);
  REQUIRE(second);
  for (const ByteRange& range : changed)
    for (std::size_t k = 0; k < range.size; ++k) second->first[range.begin + k] = std::byte{'Z'};
  std::string once_more = expected.substr(10, 80'000);
  once_more.replace(4000, 200, 200, 'Z').replace(60'000, 1, "Z");
  CHECK(text_of({second->first, 80'000}) == once_more);
  CHECK(text_of({first->first, 90'000}) == expected);
  CHECK(text_of(file.bytes) == content);
  first.reset();
  CHECK(text_of({second->first, 80'000}) == once_more);
  CHECK_FALSE(copy_to_change(bytes_of(expected), {}));
  CHECK_FALSE(copy_to_change({file.bytes.data() + 1, file.bytes.size()}, {}));
}

TEST_CASE("mapped files: what another program cuts off is 0 from then on, and that is told", "[files]") {
  const made::Folder folder;
  const std::string path = folder / "numbers", content(100'000, 'a');
  std::FILE* const numbers = std::fopen(path.c_str(), "wb");
  std::fwrite(content.data(), 1, content.size(), numbers);
  std::fclose(numbers);
  const FileBytes file = map_file(path);
  const std::optional<ChangedBytes> copy = copy_to_change(file.bytes, std::vector<ByteRange>{{90'000, 1}});
  REQUIRE(copy);
  copy->first[90'000] = std::byte{'X'};  // a page of its own
  const int before = times_cut();
  REQUIRE(::truncate(path.c_str(), 4096) == 0);
  CHECK(text_of(file.bytes.first(4096)) == content.substr(0, 4096));
  CHECK(times_cut() == before);
  CHECK(file.bytes[50'000] == std::byte{0});
  CHECK(file.bytes[99'999] == std::byte{0});
  CHECK(times_cut() == before + 2);
  CHECK(copy->first[60'000] == std::byte{0});
  CHECK(times_cut() == before + 3);
}

TEST_CASE("mapped files: of many bytes in memory the second copy shares with the first", "[files]") {
  const std::string content(std::size_t{6} << 20, 'a');
  const std::vector<ByteRange> changed{{5'000'000, 3}};
  const std::optional<ChangedBytes> first = copy_to_change(bytes_of(content), changed);
  if (!first) {
    WARN("skipped: this system has no files without a name");
    return;
  }
  CHECK(first->own >= content.size());
  first->first[5'000'001] = std::byte{'b'};
  const std::vector<ByteRange> more{{0, 1}};
  const std::optional<ChangedBytes> second = copy_to_change({first->first, content.size()}, more);
  REQUIRE(second);
  CHECK(second->own <= 4 * 65536);  // two pages, however large they are
  second->first[0] = std::byte{'c'};
  std::string expected = content;
  expected[5'000'001] = 'b';
  CHECK((text_of({first->first, content.size()}) == expected));
  expected[0] = 'c';
  CHECK((text_of({second->first, content.size()}) == expected));
  CHECK(content.front() == 'a');
  CHECK_FALSE(copy_to_change(bytes_of(expected).first(1000), changed));  // few bytes are copied by who asks
}
