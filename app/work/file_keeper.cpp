#include "app/work/file_keeper.h"

#include "core/checkpoints/open_model.h"
#include "core/checkpoints/stored.h"
#include "core/document/model_file.h"
#include "core/error.h"
#include "core/files/bounded_file.h"
#include "core/files/printable.h"
#include "core/io/on_checkpoint.h"
#include "core/learn/task.h"

namespace hydra {

namespace {

constexpr std::size_t kMostRunBytes = std::size_t{64} << 20;  // the document that it may have begun with included

// Its series is looked for again: checkpoints come and go.
void go_on_over(const FileKeeper::Reading& reading, FileKeeper::Read& read) {
  read.over = reading.over, read.with_edits = reading.with_edits;
  if (!reading.with_edits) read.whole = changed_whole(*reading.over);
  if (!read.whole.empty()) return;
  try {
    const Document next = on_checkpoint(*reading.over, reading.path, reading.with_edits.value_or(true));
    read.series = series_of(reading.path);
    read.opened = OpenedDocument{next, {}};
  } catch (const InputError& fault) {
    read.fault = fault.what();
    read.series = series_of(reading.over->file->path);
  }
}

FileKeeper::Read read_file(const FileKeeper::Reading& reading) {
  FileKeeper::Read read;
  read.path = reading.path, read.beside = reading.beside;
  if (reading.over) return go_on_over(reading, read), read;
  std::vector<std::string> model;
  if (!reading.model.empty()) model.push_back("/model/folder=" + reading.model);
  try {
    if (reading.kind == FileKeeper::Kind::text)
      read.text = read_at_most(learn::kMostTextBytes, reading.path);
    else if (reading.kind == FileKeeper::Kind::example)
      read.opened = open_example(reading.path);
    else if (learn::is_run_path(reading.path))
      read.run = learn::parse_run_file(read_at_most(kMostRunBytes, reading.path), reading.path);
    else
      read.opened = open_document(reading.path, model);
    if (read.opened && read.opened->document.file && !reading.beside)
      read.series = series_of(read.opened->document.file->path);
  } catch (const MissingModel& fault) {
    read.fault = fault.what(), read.lacks_model = true;
  } catch (const UnreadModel& fault) {
    read.fault = fault.what(), read.lacks_layout = names_model(reading.path);
  } catch (const InputError& fault) {
    read.fault = fault.what();
  }
  return read;
}

FileKeeper::Written write_file(const FileKeeper::Writing& writing) {
  if (writing.unless_changed && changed_since(*writing.unless_changed)) return {writing, std::nullopt, ""};
  try {
    if (writing.text) {
      write_whole(writing.path, *writing.text);
      return {writing, KeptFile{writing.path, fingerprint_of(*writing.text)}, ""};
    }
    KeptFile file = write_document(writing.document, writing.path);
    return {writing, std::move(file), ""};
  } catch (const InputError& fault) {
    return {writing, std::nullopt, fault.what()};
  }
}

}  // namespace

FileKeeper::FileKeeper() : reader_(read_file), writer_(write_file) {}

void FileKeeper::on_finished(const std::function<void()>& wake) {
  reader_.on_finished(wake);
  writer_.on_finished(wake);
}

void FileKeeper::finish() {
  reader_.finish();
  writer_.finish();
}

// Paths are noted last, so that what could not be asked for is not waited for.

void FileKeeper::read(Reading reading, std::chrono::milliseconds patience) {
  reader_.ask(reading, patience);
  reading_ = std::move(reading.path);
}

std::optional<FileKeeper::Read> FileKeeper::take_read() {
  std::optional<Read> read = reader_.take();
  if (auto failure = reader_.take_failure()) {
    read = Read{std::exchange(reading_, {}), false, {}, {}, {}, std::move(*failure)};
    read->fault = printable(read->path, 200) + ": " + read->fault;
  }
  if (read) reading_.clear();
  return read;
}

void FileKeeper::write(Writing writing, std::chrono::milliseconds patience) {
  writer_.ask(writing, patience);
  writing_ = std::move(writing);
}

std::optional<FileKeeper::Written> FileKeeper::take_written() {
  std::optional<Written> written = writer_.take();
  if (auto failure = writer_.take_failure()) {
    written = Written{std::exchange(writing_, {}), std::nullopt, std::move(*failure)};
    written->fault = written->writing.path + ": " + written->fault;
  }
  if (written) writing_ = {};
  return written;
}

}  // namespace hydra
