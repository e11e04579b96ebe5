// The model that a task begins with, as a document.
#pragma once
#include "core/document/document.h"
#include "core/learn/task.h"

namespace hydra::learn {

// Throws InputError, with one sentence, for sizes that no model of this kind has, and rates that train none.
void check_recipe(const Recipe& recipe);

// Every weight from its own stream of the seed, as the recipe says: matrices normal with variance 1 / rows, tables with
// variance 1 times the word's scale, biases of the readout 0. Its sentence is the first sequence of the evaluation, its
// notes are the task's page.
Document starting_document(const Task& task, const Recipe& recipe, std::uint64_t seed);

// The words of a sequence in the place of the document's own.
void show_sequence(Document& document, const TaskInfo& info, std::span<const std::int32_t> words);

// sin and cos of place / base^(2j/d), in columns 2j and 2j + 1, times scale (Vaswani et al. 2017, section 3.5).
Mat<float> sinusoids(Index places, Index d_model, double base, double scale);

}  // namespace hydra::learn
