// What is of the whole model as files have it: the tables by which words are read in, their norm, the transform and the
// final norm, the readout. Part of read.cpp and write.cpp.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "core/io/document_text.h"
#include "core/json/reader.h"

namespace hydra {

inline constexpr std::string_view kModelKeys[] = {"model",     "d_model",    "embedding", "embedding_norm",
                                                  "transform", "final_norm", "readout",   "layers"};
inline constexpr std::pair<const char*, Embedding::Kind> kEmbeddingKinds[] = {
    {"hashed", Embedding::Kind::hashed},
    {"features", Embedding::Kind::features},
    {"explicit", Embedding::Kind::explicit_values},
    {"learned", Embedding::Kind::learned}};
inline constexpr std::pair<const char*, Embedding::Positions> kPositions[] = {
    {"sinusoidal", Embedding::Positions::sinusoidal},
    {"none", Embedding::Positions::none},
    {"learned", Embedding::Positions::learned}};
// The keys of a learned embedding besides those of all embeddings.
inline constexpr const char* kTableKeys[] = {"vocabulary", "case", "init", "places", "types", "E", "P", "T"};
// Of a document with its tokens and width: a learned embedding's, and those of what follows the layers.
void read_tables(const JsonReader& reader, const Node& embedding, Document& document);
void read_words_out(const JsonReader& reader, const Node& root, Document& document);

void add_tables(json_text::ObjectText& object, const Document& document);
// "embedding_norm", "transform", "final_norm" and "readout", where they are there.
std::vector<std::pair<std::string, std::string>> words_out_texts(const Document& document);

}  // namespace hydra
