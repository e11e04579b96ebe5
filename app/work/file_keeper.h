// Reading and writing documents in the background (latest_request.h): one file is read, and one written, at a time.
#pragma once
#include "app/work/latest_request.h"
#include "core/checkpoints/series.h"
#include "core/io/file.h"
#include "core/learn/runs/run_file.h"

namespace hydra {

class FileKeeper {
 public:
  FileKeeper();

  // Called on a worker's thread when something is read or written.
  void on_finished(const std::function<void()>& wake);
  void finish();  // waits; what is finished is taken as ever

  // A document or a run of Learn, a text to learn from, or an example by its file. Waits for it up to patience. Nothing
  // else may be being read, or wait to be taken.
  enum class Kind { document, text, example };
  struct Reading {
    std::string path;
    Kind kind = Kind::document;
    bool beside = false;     // the model that is shown, not in its place
    std::string model = {};  // where the document's model is; empty: where it says
    // The path is another checkpoint, over which this document goes on.
    std::shared_ptr<const Document> over = {};
    std::optional<bool> with_edits = {};  // nothing: only where all of them go with it
  };
  void read(Reading reading, std::chrono::milliseconds patience);
  const std::string& reading() const { return reading_; }  // the path, from read to take_read; empty: nothing
  bool has_read() const { return !reading_.empty() && !reader_.computing(); }
  struct Read {
    std::string path;
    bool beside = false;  // see Reading
    std::optional<OpenedDocument> opened;
    std::optional<std::string> text;
    std::optional<learn::RunFile> run;            // none of them: see fault
    std::string fault;                            // one sentence, with the path
    bool lacks_model = false;                     // it is that the document's model is not where it says
    bool lacks_layout = false;                    // it is that no family reads the model's arrays so
    std::optional<CheckpointSeries> series = {};  // that the model is one of
    std::shared_ptr<const Document> over = {};    // see Reading
    std::optional<bool> with_edits = {};
    std::vector<std::string> whole = {};  // edits that do not go with it: nothing was read
  };
  std::optional<Read> take_read();

  // A document as it was when it was to be saved, by the number of its lineage (history.h); or another text.
  struct Writing {
    std::string path;
    Document document;
    int lineage = 0;
    std::optional<KeptFile> unless_changed = {};  // not written when something else has written this file since
    std::optional<std::string> text = {};
    std::string called = {};  // what it is, in sentences
    std::string opens = {};   // a model that is opened when it is written
  };
  void write(Writing writing, std::chrono::milliseconds patience);
  const std::string& writing() const { return writing_.path; }
  struct Written {
    Writing writing;
    std::optional<KeptFile> file;  // as it is now; none: see fault
    std::string fault;             // one sentence, with the path; empty: it was changed by something else
  };
  std::optional<Written> take_written();

 private:
  std::string reading_;
  Writing writing_;
  LatestRequest<Reading, Read> reader_;
  LatestRequest<Writing, Written> writer_;
};

}  // namespace hydra
