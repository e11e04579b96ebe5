// The parts of the window. Each draws into the ImGui child it is called in.
#pragma once
#include <span>

#include "app/views/frame/context.h"

namespace hydra {

struct ViewEntry {
  ViewId id;
  const char* key;    // "flow": on the command line and in names for tests
  const char* label;  // a text, "Flow": on its tab
  const char* keys;   // "F": the key that opens it
  char letter;        // 'f'
  const char* does;   // a text, for the page of keys
  const char* tip;    // a text
  void (*draw)(Frame&);
  float wide, high;  // what it needs at least, in text sizes: in less room it is scrolled
  // Why what is asked of it cannot be shown: a sentence, in the place of the picture; empty: it can. null: it always
  // can.
  std::string (*why_not)(const Source&, const ViewState&) = nullptr;
};
std::span<const ViewEntry> all_views();  // in the order of their tabs
const ViewEntry& entry_of(ViewId view);

float top_bar_height(const Frame& frame, float window_width);
void draw_top_bar(Frame& frame);
void draw_file_dialog(Frame& frame);  // over everything, while ViewState::file_dialog asks for it
void draw_model_panel(Frame& frame);
void draw_split_group(Frame& frame);         // of the model panel
void draw_own_group(Frame& frame);           // the same
void draw_weights_group(Frame& frame);       // of the model panel
void draw_tables(Frame& frame);              // of the model panel: what words are read in by
void draw_pads(Frame& frame);                // and how many pads stand before the sentence
void draw_transport(Frame& frame);           // under other views than Learn, while a run stands: its place in time
float transport_height(const Frame& frame);  // 0: there is none
void draw_words_in_settings(Frame& frame);   // of the model panel: types of tokens, and the norm after the embedding
void draw_words_out_group(Frame& frame);     // of the model panel
// Its list of words with their features, to be corrected, behind a button that tells how many are guessed. Probe names:
// words, words/blorp, words/feature/noun.
void draw_word_list(Frame& frame);
// The example sentences by group, and the documents that ship, behind a button of the top bar. Probe names: examples,
// examples/group/Pronouns, examples/sentence/0, examples/slices.json.
void draw_examples_menu(Frame& frame);
void draw_flow_view(Frame& frame);
void draw_heads_view(Frame& frame);
void draw_mixing_view(Frame& frame);
void draw_likeness_view(Frame& frame);
std::string why_no_likeness(const Source& source, const ViewState& view);
void draw_tradeoff_view(Frame& frame);
void draw_roles_view(Frame& frame);
void draw_design_view(Frame& frame);
void draw_stream_view(Frame& frame);
void draw_learn_view(Frame& frame);
void follow_selected(Frame& frame);  // goes to Learn, where the selected number of a pattern is followed
void draw_designer(Frame& frame);    // "query looks like ..., key looks like ..., at offset ..., carries ..."
void draw_inspector(Frame& frame);
void draw_status_bar(Frame& frame);
void draw_waiting(Frame& frame);  // in the place of a view, while there is no trace
// Numbers beyond what floats hold, in words; 0 where there are none.
float overflow_bar_height(const Frame& frame, float width);
void draw_overflow_bar(Frame& frame);
void draw_help(Frame& frame);  // the overlay of keys

}  // namespace hydra
