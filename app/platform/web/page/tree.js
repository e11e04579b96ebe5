// The window for who does not see its canvas: tabs, buttons and fields as the program offers them from its tables
// (app/views/offered.h), the selected number, and what is said. Out of sight until one of them has the focus.
import { withText } from './text.js';

const GROUPS = ['views', 'pages', 'commands']; // by the program's kinds, as are
const OFF = 1, ON = 2, DISABLED = 3;           // its states; 0 is neither

export class Tree {
  #offers = [];
  #shown = new Map(); // elements, by group and index

  constructor(element, module) {
    this.element = element;
    this.module = module;
    for (const name of ['views', 'pages']) element(name).addEventListener('keydown', (event) => this.#turn(event));
    element('sentence').addEventListener('change', ({ target }) => withText(module, target.value, module._hydra_sentence));
  }

  // Only what changed, so that no more is read out.
  say(texts) {
    for (const [name, text] of Object.entries(texts))
      if (this.element(name).textContent !== text) this.element(name).textContent = text;
  }

  offer(kind, index, state, name, keys) {
    this.#offers.push({ kind, index, state, name, keys });
  }
  // All that was offered since the last time, in the place of what is there.
  show(sentence) {
    const groups = GROUPS.map(() => []);
    for (const offer of this.#offers) groups[offer.kind].push(this.#element(offer));
    this.#offers = [];
    groups.forEach((elements, kind) => {
      const group = this.element(GROUPS[kind]);
      group.hidden = elements.length === 0;
      if (elements.length !== group.children.length || elements.some((element, k) => element !== group.children[k]))
        group.replaceChildren(...elements);
    });
    const field = this.element('sentence');
    if (document.activeElement !== field) field.value = sentence;
  }

  #element({ kind, index, state, name, keys }) {
    const key = `${kind}/${index}`;
    let button = this.#shown.get(key);
    if (!button) {
      button = document.createElement('button');
      button.type = 'button';
      button.tabIndex = -1; // Tab goes through the canvas
      button.textContent = name;
      if (keys) button.setAttribute('aria-keyshortcuts', keys);
      button.addEventListener('click', () => button.ariaDisabled === 'true' || this.module._hydra_choose(kind, index));
      if (GROUPS[kind] !== 'commands') button.setAttribute('role', 'tab');
      this.#shown.set(key, button);
    }
    if (GROUPS[kind] !== 'commands') button.setAttribute('aria-selected', String(state === ON));
    else if (state === DISABLED) button.setAttribute('aria-disabled', 'true');
    else button.removeAttribute('aria-disabled');
    if (GROUPS[kind] === 'commands' && (state === ON || state === OFF)) button.setAttribute('aria-pressed', String(state === ON));
    return button;
  }

  // Within a row of tabs arrows go on.
  #turn(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const tabs = [...event.currentTarget.children], at = tabs.indexOf(event.target);
    if (!by || at < 0) return;
    event.preventDefault();
    const next = tabs[(at + by + tabs.length) % tabs.length];
    next.focus();
    next.click();
  }
}
