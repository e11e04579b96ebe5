// The keyboard, input methods and the clipboard, by a text field that has the focus all the time.
import { withText } from './text.js';

// The program's codes (app/platform/input.h). Letters and digits are what the layout says, others where they are on a key
// board from the United States.
const CODES = {
  Space: 32, Quote: 39, Comma: 44, Minus: 45, Period: 46, Slash: 47, Semicolon: 59, Equal: 61, BracketLeft: 91, Backslash: 92,
  BracketRight: 93, Backquote: 96, Escape: 256, Enter: 257, Tab: 258, Backspace: 259, Insert: 260, Delete: 261, ArrowRight: 262,
  ArrowLeft: 263, ArrowDown: 264, ArrowUp: 265, PageUp: 266, PageDown: 267, Home: 268, End: 269, NumpadDecimal: 330,
  NumpadDivide: 331, NumpadMultiply: 332, NumpadSubtract: 333, NumpadAdd: 334, NumpadEnter: 335,
};
for (let k = 0; k < 10; ++k) {
  CODES[`Digit${k}`] = 48 + k;
  CODES[`Numpad${k}`] = 320 + k;
}
for (let k = 1; k <= 12; ++k) CODES[`F${k}`] = 289 + k;
for (let k = 0; k < 26; ++k) CODES[`Key${String.fromCharCode(65 + k)}`] = 65 + k;

const SHIFT = 340, CONTROL = 341, ALT = 342, BACKSPACE = 259, V = 86;
const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock']);
const MOST_PASTED = 5 << 20; // more than the program takes of a text, so that it says why (app/views/pasted.h)
const NOTHING = '\u200b'; // is in the field while a text is written, so that a keyboard on the screen has something to take away

function codeOf(event) {
  if (/^[a-z]$/i.test(event.key)) return event.key.toUpperCase().charCodeAt(0);
  if (/^[0-9]$/.test(event.key) && !event.code.startsWith('Numpad')) return event.key.charCodeAt(0);
  return CODES[event.code] ?? CODES[event.key];
}

// What the program does something with (app/views/commands.cpp, and what a text field takes). All else is the browser's:
// its tabs, tools, search, reload, zoom, and Tab where the program has no part left that it could go to.
const WITH_CONTROL = new Set([...'aczvxyos', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'Backspace', 'Delete', 'Enter']);
const WITH_CONTROL_AND_SHIFT = new Set([...'zscl', 'ArrowLeft', 'ArrowRight', 'Home', 'End']);
const ALONE = new Set(['F1', 'F5', 'Escape', 'Enter', 'Backspace', 'Delete', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown',
  'PageUp', 'PageDown', 'Home', 'End']);
const WITH_SHIFT = new Set(['Enter', 'Backspace', 'Delete', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End']);

function isBrowsers(event) {
  const control = event.ctrlKey || event.metaKey;
  if (event.altKey && !control) return true;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (control) return !(event.shiftKey ? WITH_CONTROL_AND_SHIFT : WITH_CONTROL).has(key);
  return event.key.length > 1 && !(event.shiftKey ? WITH_SHIFT : ALONE).has(event.key);
}

export class Keys {
  #held = new Map([[SHIFT, false], [CONTROL, false], [ALT, false]]);
  #composing = false;
  #kept = ''; // what is in the field when nobody writes
  #tab = { on: true, back: true }; // whether the program does something with Tab, and with Shift Tab
  #calling = false; // the focus comes by us, not by the browser's Tab
  #elsewhere = false; // the field has the focus, but another window the keyboard

  // end: behind all else, so that Shift Tab comes to the last part of the window. In a frame the page around it keeps the keyboard until somebody clicks or tabs into it.
  constructor(field, end, module, canvas, framed) {
    this.field = field;
    this.module = module;
    this.canvas = canvas;
    field.addEventListener('keydown', (event) => this.#down(event));
    field.addEventListener('keyup', (event) => this.#up(event));
    field.addEventListener('input', (event) => this.#input(event));
    field.addEventListener('compositionstart', () => this.#compose(true));
    field.addEventListener('compositionend', (event) => {
      this.#compose(false);
      this.#send(event.data);
    });
    field.addEventListener('paste', (event) => this.#paste(event));
    field.addEventListener('focus', () => {
      module._hydra_focus(1);
      if (!this.#calling && !this.#elsewhere) module._hydra_enter(1);
      end.tabIndex = -1; // or Tab would come to it from here
    });
    field.addEventListener('blur', () => {
      this.#lose();
      this.#elsewhere = document.activeElement === field;
      if (!this.#calling && !this.#elsewhere) module._hydra_enter(0);
      end.tabIndex = 0;
    });
    end.addEventListener('focus', () => {
      this.focus();
      module._hydra_enter(-1);
    });
    window.addEventListener('focus', () => setTimeout(() => document.activeElement === document.body && this.focus()));
    if (!framed) this.focus();
  }

  focus() {
    this.#calling = true;
    this.field.focus({ preventScroll: true });
    this.#calling = false;
    this.#elsewhere = !document.hasFocus();
  }
  keepTab(on, back) {
    this.#tab = { on, back };
  }
  // A keyboard on the screen comes up where a text is written, and only there.
  type(wanted) {
    const mode = wanted ? 'text' : 'none';
    if (this.field.inputMode === mode) return;
    this.field.inputMode = mode;
    this.#kept = wanted ? NOTHING : '';
    this.#clear();
    if (wanted && navigator.maxTouchPoints > 0) {
      this.#calling = true;
      this.field.blur();
      this.focus();
    }
  }
  place(x, y) {
    const ratio = this.canvas.width / this.canvas.clientWidth;
    this.field.style.transform = `translate(${x / ratio}px, ${y / ratio}px)`;
  }

  // Modifiers are what the event says: of a key let go elsewhere nothing was heard.
  match(event) {
    this.#hold(SHIFT, event.shiftKey);
    this.#hold(CONTROL, event.ctrlKey || event.metaKey);
    this.#hold(ALT, event.altKey && !event.getModifierState?.('AltGraph'));
  }
  #hold(key, down) {
    if (this.#held.get(key) === down) return;
    this.#held.set(key, down);
    this.module._hydra_key(key, down ? 1 : 0);
  }

  #down(event) {
    if (event.isComposing || event.keyCode === 229) return;
    this.match(event);
    const ours = event.key === 'Tab' && !event.ctrlKey && !event.altKey && !event.metaKey ? this.#tab[event.shiftKey ? 'back' : 'on']
                                                                                           : !isBrowsers(event);
    if (MODIFIERS.has(event.key) || !ours) return;
    const control = event.ctrlKey || event.metaKey;
    const code = codeOf(event);
    if (control && code === V && !event.shiftKey) return; // #paste follows
    if (control || event.key.length > 1) event.preventDefault();
    if (code === undefined || event.repeat) return; // the program repeats by itself
    this.module._hydra_key(code, 1);
    if (event.metaKey) this.module._hydra_key(code, 0); // of which no letting go is told
  }

  #up(event) {
    this.match(event);
    const code = codeOf(event);
    if (code !== undefined && !MODIFIERS.has(event.key)) this.module._hydra_key(code, 0);
  }

  #lose() {
    for (const key of this.#held.keys()) this.#held.set(key, false);
    this.#compose(false);
    this.module._hydra_focus(0);
  }

  // --- text

  #input(event) {
    if (event.isComposing || this.#composing) return;
    if (event.inputType === 'deleteContentBackward') {
      this.module._hydra_key(BACKSPACE, 1);
      this.module._hydra_key(BACKSPACE, 0);
      this.#clear();
    } else {
      this.#send(this.field.value);
    }
  }
  #send(text) {
    for (const character of text ?? '') if (character !== NOTHING) this.module._hydra_text(character.codePointAt(0));
    this.#clear();
  }
  #clear() {
    this.field.value = this.#kept;
    this.field.setSelectionRange(this.#kept.length, this.#kept.length);
  }
  #compose(on) {
    this.#composing = on;
    this.field.classList.toggle('composing', on);
  }

  // --- clipboard

  #paste(event) {
    event.preventDefault();
    this.give(event.clipboardData.getData('text/plain'));
    this.module._hydra_key(V, 1);
    this.module._hydra_key(V, 0);
  }
  give(text) {
    withText(this.module, text.slice(0, MOST_PASTED), this.module._hydra_clipboard);
  }
  // Where the page is not served securely there is only the old way, which copies what is marked.
  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      this.field.value = text;
      this.field.select();
      document.execCommand('copy');
      this.#clear();
    }
  }
}
