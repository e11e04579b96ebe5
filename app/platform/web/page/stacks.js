// Work without threads that is left in the middle, by WebAssembly's promise integration (JSPI): a call that was begun as a
// promise is put aside where it waits. turns/stacks.cpp and bridge.js have the other half.

export class Stacks {
  there = typeof WebAssembly.Suspending === 'function' && typeof WebAssembly.promising === 'function';
  #goOn = new Map();

  constructor(fail) {
    this.fail = fail;
  }

  begin(run, stack) {
    WebAssembly.promising(run)(stack).catch(this.fail);
  }
  wait(stack) {
    return new Promise((goOn) => this.#goOn.set(stack, goOn));
  }
  go_on(stack) {
    const goOn = this.#goOn.get(stack);
    this.#goOn.delete(stack);
    goOn();
  }
}
