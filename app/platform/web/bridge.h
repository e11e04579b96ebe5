// What the page does for the program (bridge.js), in the order of the headers of app/platform that need it. Texts are
// UTF-8. All but hydra_ask_turn are for the thread that draws.
#pragma once

extern "C" {

// loop.h
void hydra_ask_turn(double seconds);  // from any thread: hydra_turn is called at the display's next frame after so long
void hydra_end();                     // there are no more turns

// main.cpp: the program cannot begin
void hydra_fail(const char* why);

// window.h
int hydra_begin_context();  // 0: there is no WebGL 2
void hydra_set_title(const char* title);
void hydra_set_unsaved(int unsaved);  // whether the page asks before it is left
void hydra_set_cursor(const char* css_name);
void hydra_set_typing(int wanted);   // whether a text field has the keyboard
void hydra_set_caret(int x, int y);  // of that field, in pixels of the canvas
void hydra_set_clipboard(const char* text);
void hydra_say(const char* status, const char* number, const char* place, const char* keyboard);  // heard.h
void hydra_keep_tab(int on, int back);
void hydra_offer(int kind, int index, int state, const char* name, const char* keys);  // one after the other, then
void hydra_show_offers(const char* sentence);

// files.h
void hydra_pick_file(int text);
void hydra_open_shipped(const char* name, const char* link);

// page.h
char* hydra_page_address();  // to be freed

// system_fonts.h: draws when pixels is not null; else measures. Both return 1 for a picture.
struct HydraWord {
  int width, height, left, top, colored;
  float advance;
  unsigned char* rgba;  // to be freed
};
int hydra_draw_word(const char* text, float em, int draw, struct HydraWord* word);

}  // extern "C"
