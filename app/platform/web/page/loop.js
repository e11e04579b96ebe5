// When frames are drawn and background work is done: a frame when one was asked for, at the display's pace; work, where it
// has no threads, in slices between them. At rest neither a frame nor a timer is pending, but for what blinks.

export class Loop {
  #due = Infinity;
  #timer = 0;
  #frame = 0;
  #seen = true;
  #working = false;
  #workTimer = 0;
  #channel = new MessageChannel();

  constructor(beforeFrame) {
    this.beforeFrame = beforeFrame;
    this.frames = 0; // that were drawn, and when the first was there
    this.first = undefined;
    this.began = new Promise((go) => (this.begun = go));
    this.#channel.port1.onmessage = ({ data }) => (data === 'work' ? this.#work() : this.#rest());
  }

  begin(module) {
    this.module = module;
    this.ask(0);
  }

  // While nobody sees the page no frame is drawn; the program still has what it wanted to draw when somebody does.
  see(seen) {
    this.#seen = seen;
    this.#forget();
    this.ask(0);
  }

  ask(seconds) {
    if (!this.#seen) return;
    const due = performance.now() + 1000 * seconds;
    if (due >= this.#due) return;
    this.#due = due;
    clearTimeout(this.#timer);
    if (this.#frame) return; // sooner it cannot be
    if (seconds < 0.02) this.#await();
    else this.#timer = setTimeout(() => this.#await(), 1000 * seconds - 8);
  }

  #await() {
    this.#frame ||= requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    this.#frame = 0;
    this.#due = Infinity;
    if (!this.module) return;
    ++this.frames;
    this.beforeFrame();
    this.module._hydra_turn();
    this.first ??= performance.now();
    this.begun();
    this.#look();
  }

  // Whether somebody wants a slice of work, and when. Asked after each frame and each slice.
  #look() {
    if (this.#working || !this.module) return;
    const wait = this.module._hydra_next_work();
    clearTimeout(this.#workTimer);
    if (wait < 0) return;
    if (wait > 0) {
      this.#workTimer = setTimeout(() => this.#look(), wait);
      return;
    }
    this.#working = true;
    this.#channel.port2.postMessage('work');
  }

  // What was put aside (stacks.js) goes on after this returns, before the browser does anything else.
  #work() {
    this.module._hydra_work();
    this.#channel.port2.postMessage('rest');
  }
  #rest() {
    this.#working = false;
    this.#look();
  }

  end() {
    this.module = undefined;
    this.#forget();
  }

  #forget() {
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#due = Infinity;
  }
}
