// What is typed into the fields of the sentence and of the questions.
#pragma once
#include <string>

namespace hydra {

struct SentenceField {
  std::string draft;
  bool typing = false;
  bool focus = false;   // it takes the keyboard when it is drawn next
  bool at_end = false;  // of a text that is too long the end is shown
};

struct QuestionsField {  // of the readout, in the model panel
  std::string draft;
  bool typing = false;
};

}  // namespace hydra
