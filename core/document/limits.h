// What bounds the parts of a document, and from that how large it is when it is written: reading allows just as much,
// so every file that is written opens again. A part that grows must be counted here.
#pragma once
#include <cstdint>

#include "core/document/document.h"
#include "core/weights/config.h"

namespace hydra {

inline constexpr Index kMaxLayers = 96;
// Of width kMaxModel, with heads and hidden numbers four times as wide: no stack that is made here has more weights.
inline constexpr Index kMaxWideLayers = 12, kWideParts = 4096;
inline constexpr std::size_t kMaxParagraphs = 64;        // of the notes, with kMaxSentenceBytes in all
inline constexpr std::size_t kMaxCorrectedWords = 4096;  // with kMaxSentenceBytes of spelling in all
inline constexpr std::size_t kMostMarkedTexts = 256;     // with kMaxMarkBytes in all (marks.h)
inline constexpr std::size_t kMaxMarkBytes = 1u << 20;
inline constexpr std::size_t kMostAside = 3;           // models besides the one in use
inline constexpr Index kMaxPaintedNumbers = 4 << 20;   // painted in all layers: four patterns of 1024 tokens
inline constexpr std::size_t kMaxDesignTerms = 1024;   // features that the asks and writes of one designed head name
inline constexpr std::size_t kMaxDesignEntries = 256;  // asks, kernels, and writes, of one designed head
inline constexpr std::size_t kMaxDesignedHeads = 512;  // in all layers of all models
// What a few characters of a link may ask for, which nobody has looked at before it opens: 96 MB of numbers.
inline constexpr std::uint64_t kMostLinkNumbers = 24u << 20;

// Each throws InputError with one sentence; check_document calls them.
void check_words(const WordCorrections& words);
void check_designs(const std::vector<std::optional<HeadDesign>>& designs);
void check_designed_count(const Document& document);
void check_painted_count(const Document& document);  // these two of all models
void check_aside_count(std::size_t models);
int most_layers(Index d_model);
void check_layer_count(std::size_t layers, Index d_model);  // none of it need be there yet; of no file
void check_width_count(const Document& document);           // of feed-forward parts and of heads, in all layers

// Numbers that are held for a layer once it is evaluated: its weights, its scores and patterns, what tokens have in it;
// and for a model besides its layers: its tables and its readout. None of a layer need be drawn yet.
std::uint64_t numbers_asked(const Layer& layer, Index tokens, Index d_model);
std::uint64_t numbers_asked(const ModelWeights<float>& weights);
std::uint64_t numbers_asked(const Document& document);  // of all its models

// The largest document as write.cpp writes it: bytes, and JSON values (a number is one, an array is one more). More
// than some machines can address.
struct DocumentSize {
  std::uint64_t bytes = 0, values = 0;
  constexpr DocumentSize operator+(const DocumentSize& o) const { return {bytes + o.bytes, values + o.values}; }
  constexpr DocumentSize operator*(std::uint64_t k) const { return {bytes * k, values * k}; }
};

namespace largest {

inline constexpr std::uint64_t kTokens = kMaxTokens, kModel = kMaxModel, kHeads = kMaxHeads, kLayers = kMaxLayers,
                               kFeatures = 64;
// "-1.17549435e-38, "; an index up to 32767 and ", "; a byte of a string as \u001f; a line with its indent and
// brackets; the name of a feature in quotes.
inline constexpr std::uint64_t kNumber = 17, kPlace = 7, kEscaped = 6, kLine = 24, kName = 48;

constexpr DocumentSize rows(std::uint64_t count, std::uint64_t numbers, std::uint64_t width) {
  return DocumentSize{kLine + width * numbers, 1 + numbers} * count + DocumentSize{kLine, 1};
}
// [row, column, value]
constexpr DocumentSize cells(std::uint64_t count) {
  return DocumentSize{kLine + 2 * kPlace + kNumber, 4} * count + DocumentSize{kLine, 1};
}

inline constexpr DocumentSize kText{3 * kEscaped * kMaxSentenceBytes + 4 * kTokens + 16 * kMaxParagraphs,
                                    kTokens + kMaxParagraphs + 5};
inline constexpr DocumentSize kMarks{(kEscaped + 4) * kMaxMarkBytes, kMaxMarkBytes};
inline constexpr DocumentSize kWords{kEscaped * kMaxSentenceBytes + (kLine + kFeatures * kName) * kMaxCorrectedWords,
                                     (1 + kFeatures) * kMaxCorrectedWords};
inline constexpr DocumentSize kX = cells(kTokens * kModel);  // all entries set by hand; explicit ones are fewer bytes
inline constexpr DocumentSize kMask = rows(kTokens, kTokens, 3);
// Rows of one number each, in all layers.
inline constexpr DocumentSize kPainted =
    DocumentSize{kNumber + kLine + kPlace, 4} * kMaxPaintedNumbers + DocumentSize{8 * kLine, 4} * (kHeads * kLayers);
// A term with its weight; an ask or a kernel with its keys; what else a head has.
inline constexpr DocumentSize kDesign = DocumentSize{kName + kNumber + 4, 3} * kMaxDesignTerms +
                                        DocumentSize{128, 8} * (3 * kMaxDesignEntries) + DocumentSize{512, 16};
// Cells stand alone where they are fewer than a quarter: then they are no more than the rows would be.
inline constexpr DocumentSize kMatrix = rows(kModel, kModel, kNumber);
inline constexpr std::uint64_t kSparse = 4;
static_assert(cells(kModel * kModel / kSparse).bytes <= kMatrix.bytes);
static_assert(cells(kModel * kModel / kSparse).values <= kMatrix.values);
// Four matrices of every layer, and that of its gates, as wide as its heads side by side: more layers are narrower, so
// that they have as many numbers, in more rows.
inline constexpr std::uint64_t kConcat = kMaxConcat, kWide = kWideParts;
inline constexpr DocumentSize kMatrices =
    (rows(kModel, kWide, kNumber) * 4 + rows(kWide, kModel, kNumber)) * kMaxWideLayers +
    rows(kLayers * (4 * kModel + kConcat), 0, 0);
// Of the feed-forward part: three matrices and a bias as wide as its hidden numbers; of norms and biases nine rows
// more.
inline constexpr std::uint64_t kHidden = kMaxHidden;
inline constexpr DocumentSize kAround =
    (rows(kModel, kWide, kNumber) * 2 + rows(kWide, kModel, kNumber)) * kMaxWideLayers +
    (rows(3 * kHidden, 0, 0) + cells(kHidden) + cells(kModel) * 9) * kLayers;
inline constexpr DocumentSize kWeights = kMatrices + cells(kConcat) * (5 * kLayers) + cells(kModel) * kLayers + kAround;
// Of no layer: the tables of words, places and types, the readout's weights, its bias, its transform with a bias, and
// the rows of two norms; two vocabularies and the names of questions.
inline constexpr std::uint64_t kVocabulary = kMaxVocabulary;
inline constexpr DocumentSize kModelWeights =
    rows(kVocabulary, kModel, kNumber) + rows(kTokens, kModel, kNumber) + rows(kModel, kVocabulary, kNumber) +
    rows(kMaxTypes, kModel, kNumber) + kMatrix + cells(kModel) * 5 + cells(kVocabulary) +
    DocumentSize{kEscaped * kMaxVocabularyBytes + kLine * kVocabulary, kVocabulary + 2} * 3;
inline constexpr DocumentSize kDesigns =
    kDesign * kMaxDesignedHeads + DocumentSize{kLine, 1} * ((1 + kMostAside) * kHeads * kLayers);
inline constexpr DocumentSize kRest{
    64u << 10, 2048};  // of a layer: gates, what heads have of their own, keys, and all that is one number or word

}  // namespace largest

inline constexpr DocumentSize kLargestDocument =
    largest::kText + largest::kMarks + largest::kPainted + largest::kDesigns +
    (largest::kWords + largest::kX + (largest::kMask + largest::kRest) * largest::kLayers + largest::kWeights +
     largest::kModelWeights) *
        (1 + kMostAside);
static_assert(kLargestDocument.bytes < (std::uint64_t{1} << 35));  // 32 GiB

}  // namespace hydra
