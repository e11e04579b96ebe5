// The models of a document: the one in use and those put aside, which read the same text, each with its own words,
// sizes, settings, weights and layers. Switching puts the present one aside and takes another, with all that was edited
// in it.
#pragma once
#include <optional>
#include <string>

#include "core/document/document.h"

namespace hydra {

// By what its layers' weights are: one that is trained makes it trained, else one that has designs makes it designed,
// else one whose numbers say nothing of themselves makes it given.
enum class ModelKind { untrained, designed, trained, given };
inline constexpr ModelKind kModelKinds[] = {ModelKind::untrained, ModelKind::designed, ModelKind::trained,
                                            ModelKind::given};
ModelKind kind_of(const Model& model);
std::string name_of(ModelKind kind);         // "untrained": in names of items
const std::string& word_of(ModelKind kind);  // on the screen

// The document with that model in use, and none put aside.
Document with_model(const Document& document, const Model& model);
// All models, the one in use first: what is of the text holds for each of them.
template <class Of, class Visit>  // of a document that may be changed or not
void for_each_model(Of& document, const Visit& visit) {
  visit(document);
  for (auto& model : document.aside) visit(model);
}

// How many are put aside of a kind.
Index count_aside(const Document& document, ModelKind kind);
// Whether there is one to switch to: one put aside, or, untrained, one that can be made.
bool can_switch(const Document& document, ModelKind kind);
// What comes next on the way round the kinds that there are; none where there is no other model.
std::optional<ModelKind> next_kind(const Document& document);
// Takes the model of that kind that was put aside first, and puts the present one aside behind the others. An untrained
// one is made where there is none: the present one with weights, tables and readout from its seeds, gains fitted,
// nothing silenced, nothing painted. Part of edit.cpp, for which it is written. Throws InputError with one sentence.
void switch_model(Document& document, ModelKind kind);

}  // namespace hydra
