// The mouse, a pen and fingers. A finger drags what can be dragged, as its cursor says, and else moves the view; one that
// rests drags anything. Two zoom, as the browser does.

const BUTTONS = [0, 2, 1]; // the program's numbers: left, right, middle
const HOLD = 350; // ms, and
const STILL = 5; // CSS pixels: until then a finger may be a tap
const TURN = { across: 30, down: 75 }; // CSS pixels that a view moves by one turn of the wheel
const ONE_TURN = 300; // ms: until then a turn of the wheel goes on where it began
const DRAGGED = new Set(['ns-resize', 'ew-resize', 'all-scroll', 'text']);

export class Pointer {
  #finger = null; // where it was last
  #pressed = false;
  #timer = 0;
  #turned = { at: -Infinity, ours: false };

  constructor(canvas, module, keys, framed) {
    this.framed = framed;
    this.canvas = canvas;
    this.module = module;
    this.keys = keys;
    const on = (name, handle) => canvas.addEventListener(name, handle, { passive: false });
    const fingers = matchMedia('(pointer: coarse)');
    module._hydra_touched(fingers.matches ? 1 : 0);
    fingers.addEventListener('change', () => module._hydra_touched(fingers.matches ? 1 : 0));
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

  // With Control, as a pinch comes, it is the browser's zoom.
  #wheel(event) {
    if (event.ctrlKey || (this.framed && !this.#isOurs(event))) return;
    event.preventDefault();
    this.keys.match(event);
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 100 : event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 3 : 1;
    this.module._hydra_wheel(-event.deltaX / unit, -event.deltaY / unit);
  }

  // In a frame that nobody has entered, or where nothing moves any further, it is the page's around it.
  #isOurs(event) {
    const turned = this.#turned;
    if (event.timeStamp - turned.at > ONE_TURN)
      turned.ours = document.hasFocus() && this.module._hydra_wheel_moves(-event.deltaX, -event.deltaY) !== 0;
    turned.at = event.timeStamp;
    return turned.ours;
  }

  // --- a finger

  #fingerDown(event) {
    if (this.#finger) return; // another one: the browser zooms, and cancels the first
    this.#finger = { id: event.pointerId, x: event.offsetX, y: event.offsetY, panning: false };
    this.#at(event.offsetX, event.offsetY);
    this.#timer = setTimeout(() => this.#press(), HOLD);
  }

  #fingerMove(event) {
    const finger = this.#finger;
    if (finger?.id !== event.pointerId) return;
    const across = event.offsetX - finger.x, down = event.offsetY - finger.y;
    if (!this.#pressed && !finger.panning) {
      if (Math.hypot(across, down) <= STILL) return;
      if (DRAGGED.has(this.canvas.style.cursor)) this.#press();
      else finger.panning = true;
      clearTimeout(this.#timer);
    }
    if (finger.panning) this.module._hydra_wheel(across / TURN.across, down / TURN.down);
    else this.#at(event.offsetX, event.offsetY);
    finger.x = event.offsetX;
    finger.y = event.offsetY;
  }

  #fingerUp(event) {
    if (this.#finger?.id !== event.pointerId) return;
    if (!this.#finger.panning && event.type !== 'pointercancel') {
      if (!this.#pressed) this.#press(); // a tap
      this.#at(event.offsetX, event.offsetY);
    }
    this.#release();
    this.#finger = null;
  }

  #press() {
    clearTimeout(this.#timer);
    this.#pressed = true;
    this.module._hydra_button(0, 1);
  }
  #release() {
    clearTimeout(this.#timer);
    if (this.#pressed) this.module._hydra_button(0, 0);
    this.#pressed = false;
  }
}
