// Reading and writing documents (JSON) and traces. Every fault of an input is one InputError sentence with the file and
// the JSON pointer.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/attention/trace.h"
#include "core/document/document.h"
#include "core/error.h"
#include "core/files/kept_file.h"
#include "core/files/whole_file.h"
#include "core/io/link.h"

namespace hydra {

// sets are overrides such as "/layers/0/heads=4", applied to the JSON before it is checked. name stands in the
// sentences. most_numbers: that it may ask for in all (numbers_asked of limits.h), as a link may not for any. path: of
// its file, where it has one: a model's file is looked for beside it as well.
inline constexpr std::uint64_t kAnyNumbers = ~std::uint64_t{0};
Document parse_document(std::string_view text, const std::string& name, const std::vector<std::string>& sets = {},
                        std::uint64_t most_numbers = kAnyNumbers, const std::string& path = "");
// "-" is standard input, "" the opening document (opening.h), what is a link and no file is read as one (link.h), and
// a model's folder or file is opened (checkpoints/open_model.h), of a folder of checkpoints the last (series.h).
Document read_document(const std::string& path, const std::vector<std::string>& sets = {});

// Thrown where a document names a model that is not there: another place of it may be given as "/model/folder=..."
struct MissingModel : InputError {
  using InputError::InputError;
};

// As read_document, with the file that it is kept in: none for "-", "" and links, which say where to look at it.
struct OpenedDocument {
  Document document;
  KeptFile file;
  std::optional<LinkPlace> place = std::nullopt;
  std::string example = {};  // examples.h: which it is; else empty
};
bool names_link(const std::string& path);  // a link, and no file that is there
OpenedDocument open_document(const std::string& path, const std::vector<std::string>& sets = {});
OpenedDocument open_example(const std::string& file);

std::string document_text(const Document& document);
// Refuses what read_document would. Returns the file as it is now.
KeptFile write_document(const Document& document, const std::string& path);

// The trace command's JSON (docs/document.md): 9 significant digits, null for masked scores, "inf", "-inf" and "nan"
// for numbers that are not finite.
void write_trace(const Trace& trace, const Sink& sink);
std::string trace_text(const Trace& trace);

}  // namespace hydra
