// What the program asks of the page, by the functions of bridge.h. What a page does is in Module.page (page/*.js), so that
// here stands no more than the way across: texts and numbers.
mergeInto(LibraryManager.library, {
  hydra_ask_turn__proxy: 'async',
  hydra_ask_turn__sig: 'vd',
  hydra_ask_turn: function(seconds) { Module['page'].loop.ask(seconds); },

  hydra_end: function() { Module['page'].end(); },
  hydra_fail: function(why) { Module['page'].fail(UTF8ToString(why)); },

  hydra_begin_context: function() {
    const canvas = Module['canvas'];
    const context = GL.createContext(canvas, {
      majorVersion: 2, minorVersion: 0, alpha: false, depth: false, stencil: false, antialias: false,
      premultipliedAlpha: true, preserveDrawingBuffer: false, powerPreference: 'default',
    });
    if (!context) return 0;
    GL.makeContextCurrent(context);
    return 1;
  },
  hydra_set_title: function(title) { document.title = UTF8ToString(title); },
  hydra_set_unsaved: function(unsaved) { Module['page'].unsaved = unsaved !== 0; },
  hydra_set_cursor: function(name) { Module['canvas'].style.cursor = UTF8ToString(name); },
  hydra_set_typing: function(wanted) { Module['page'].keys.type(wanted !== 0); },
  hydra_set_caret: function(x, y) { Module['page'].keys.place(x, y); },
  hydra_set_clipboard: function(text) { Module['page'].keys.copy(UTF8ToString(text)); },
  hydra_say: function(status, number, place, keyboard) {
    Module['page'].tree.say({ status: UTF8ToString(status), number: UTF8ToString(number), place: UTF8ToString(place), keyboard: UTF8ToString(keyboard) });
  },
  hydra_keep_tab: function(on, back) { Module['page'].keys.keepTab(on !== 0, back !== 0); },
  hydra_offer: function(kind, index, state, name, keys) { Module['page'].tree.offer(kind, index, state, UTF8ToString(name), UTF8ToString(keys)); },
  hydra_show_offers: function(sentence) { Module['page'].tree.show(UTF8ToString(sentence)); },

  hydra_pick_file: function(text) { Module['page'].files.pick(text !== 0); },
  hydra_open_shipped: function(name, link) { Module['page'].openExample(UTF8ToString(name), UTF8ToString(link)); },

  hydra_page_address__deps: ['$stringToNewUTF8'],
  hydra_page_address: function() { return stringToNewUTF8(location.origin + location.pathname); },

  hydra_draw_word__deps: ['malloc'],
  hydra_draw_word: function(text, em, draw, out) {
    const word = Module['page'].words.draw(UTF8ToString(text), em, draw !== 0);
    if (!word) return 0;
    const fields = [word.width, word.height, word.left, word.top, word.colored ? 1 : 0];
    for (let k = 0; k < fields.length; ++k) HEAP32[(out >> 2) + k] = fields[k];
    HEAPF32[(out >> 2) + 5] = word.advance;
    HEAPU32[(out >> 2) + 6] = 0;
    if (!draw) return 1;
    const pixels = _malloc(word.rgba.length || 1);
    HEAPU8.set(word.rgba, pixels);
    HEAPU32[(out >> 2) + 6] = pixels;
    return 1;
  },

  // turns/stacks.cpp. What calls hydra_wait is put aside until hydra_go_on.
  hydra_has_promises: function() { return Module['page'].stacks.there ? 1 : 0; },
  hydra_begin: function(run, stack) { Module['page'].stacks.begin(wasmTable.get(run), stack); },
  hydra_wait: function(stack) { return Module['page'].stacks.wait(stack); },
  hydra_wait__postset: 'if (WebAssembly.Suspending) _hydra_wait = new WebAssembly.Suspending(_hydra_wait);',
  hydra_go_on: function(stack) { Module['page'].stacks.go_on(stack); },
});
