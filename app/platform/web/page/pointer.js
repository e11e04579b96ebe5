// The mouse, a pen and fingers. A finger points, presses and drags; two scroll.

const BUTTONS = [0, 2, 1]; // the program's numbers: left, right, middle
const HOLD = 90; // ms, and
const STILL = 5; // CSS pixels: until then a finger may be the first of two

export class Pointer {
  #fingers = new Map();
  #pressed = false; // the first finger
  #timer = 0;
  #scrolling = null; // where the middle of two fingers was

  constructor(canvas, module, keys, framed) {
    this.framed = framed;
    this.canvas = canvas;
    this.module = module;
    this.keys = keys;
    const on = (name, handle) => canvas.addEventListener(name, handle, { passive: false });
    on('pointerdown', (event) => this.#down(event));
    on('pointermove', (event) => this.#move(event));
    on('pointerup', (event) => this.#up(event));
    on('pointercancel', (event) => this.#up(event));
    on('pointerleave', (event) => event.pointerType === 'mouse' && this.module._hydra_leave());
    on('wheel', (event) => this.#wheel(event));
    on('contextmenu', (event) => event.preventDefault());
  }

  #at(x, y) {
    const ratio = this.canvas.width / this.canvas.clientWidth;
    this.module._hydra_move(x * ratio, y * ratio);
  }

  #down(event) {
    event.preventDefault();
    this.keys.focus();
    this.keys.match(event);
    this.canvas.setPointerCapture(event.pointerId);
    if (event.pointerType === 'touch') return this.#fingerDown(event);
    this.#at(event.offsetX, event.offsetY);
    this.module._hydra_button(BUTTONS[event.button] ?? event.button, 1);
  }

  #move(event) {
    if (event.pointerType === 'touch') return this.#fingerMove(event);
    // More than one button: the others come as moves.
    this.#at(event.offsetX, event.offsetY);
    if (event.button > 0) this.module._hydra_button(BUTTONS[event.button] ?? event.button, event.buttons >> [0, 2, 1][event.button] & 1);
  }

  #up(event) {
    if (event.pointerType === 'touch') return this.#fingerUp(event);
    this.#at(event.offsetX, event.offsetY);
    this.module._hydra_button(BUTTONS[event.button] ?? event.button, 0);
  }

  // With Control, as a pinch comes, it is the browser's zoom; in a frame that nobody has entered, the page's around it.
  #wheel(event) {
    if (event.ctrlKey || (this.framed && !document.hasFocus())) return;
    event.preventDefault();
    this.keys.match(event);
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 100 : event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 3 : 1;
    this.module._hydra_wheel(-event.deltaX / unit, -event.deltaY / unit);
  }

  // --- fingers

  #fingerDown(event) {
    this.#fingers.set(event.pointerId, { x: event.offsetX, y: event.offsetY, x0: event.offsetX, y0: event.offsetY });
    if (this.#fingers.size === 1) {
      this.#at(event.offsetX, event.offsetY);
      this.#timer = setTimeout(() => this.#press(), HOLD);
    } else if (this.#fingers.size === 2) {
      clearTimeout(this.#timer);
      this.#timer = 0;
      this.#release();
      this.#scrolling = this.#middle();
    }
  }

  #fingerMove(event) {
    const finger = this.#fingers.get(event.pointerId);
    if (!finger) return;
    finger.x = event.offsetX;
    finger.y = event.offsetY;
    if (this.#scrolling) {
      const middle = this.#middle();
      this.module._hydra_wheel((middle.x - this.#scrolling.x) / 60, (middle.y - this.#scrolling.y) / 60);
      this.#scrolling = middle;
      return;
    }
    if (this.#timer && Math.hypot(finger.x - finger.x0, finger.y - finger.y0) > STILL) this.#press();
    this.#at(finger.x, finger.y);
  }

  #fingerUp(event) {
    const finger = this.#fingers.get(event.pointerId);
    if (!finger) return;
    this.#fingers.delete(event.pointerId);
    if (this.#scrolling) {
      if (this.#fingers.size === 0) this.#scrolling = null;
      return;
    }
    if (this.#timer) this.#press();
    this.#at(finger.x, finger.y);
    this.#release();
  }

  #middle() {
    const all = [...this.#fingers.values()];
    return { x: all.reduce((sum, f) => sum + f.x, 0) / all.length, y: all.reduce((sum, f) => sum + f.y, 0) / all.length };
  }

  #press() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#pressed = true;
    this.module._hydra_button(0, 1);
  }
  #release() {
    if (this.#pressed) this.module._hydra_button(0, 0);
    this.#pressed = false;
  }
}
