// What stands in the place of the picture: how far loading is, or why there is none.

export class Cover {
  #loaded = false;
  #failure = ''; // for good: the first one is said
  #lost = '';    // for now

  constructor(element) {
    this.cover = element('cover');
    this.progress = element('progress');
    this.what = element('what');
    this.name = this.what.textContent;
  }

  loaded() {
    this.#loaded = true;
    this.#show();
  }
  fail(why) {
    this.#failure ||= why;
    this.#show();
  }
  // Until it is called without words.
  lose(why) {
    this.#lost = why;
    this.#show();
  }

  #show() {
    const why = this.#failure || this.#lost;
    this.cover.hidden = this.#loaded && !why;
    this.cover.classList.toggle('failed', why !== '');
    this.progress.hidden = why !== '';
    if (why) this.what.setAttribute('role', 'alert');
    else this.what.removeAttribute('role');
    this.what.textContent = why || this.name;
  }
}
