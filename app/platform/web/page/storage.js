// Unsaved work outlives the page: what the program keeps in its folder is kept in the browser's storage as well. What pages
// that are gone have left is laid down for the program, which offers it; pages that are open keep theirs to themselves.

const FOLDER = '/unsaved';
const PREFIX = 'hydrascope/unsaved/';
const ENOSPC = 51, EACCES = 2; // as the program's library numbers them

const storage = (() => {
  try {
    return window.localStorage;
  } catch {
    return null; // forbidden
  }
})();

const sessionOf = (name) => name.split('.')[0];
const sessionOfKey = (key) => sessionOf(key.slice(PREFIX.length));

// A session that is kept holds a lock as long as its page lives; a page that is going lets it go within that time. Where the
// page is not served securely there are no locks: who is asked answers, if it is not busy.
const PATIENCE = 500; // ms

class Neighbours {
  #channel = !navigator.locks && typeof BroadcastChannel === 'function' ? new BroadcastChannel('hydrascope') : null;
  #heard = new Set();
  #own = new Set();

  constructor() {
    if (!this.#channel) return;
    this.#channel.onmessage = ({ data }) => {
      if (data?.ask === true) this.#channel.postMessage({ mine: [...this.#own] });
      else if (Array.isArray(data?.mine)) for (const session of data.mine) this.#heard.add(session);
    };
    this.#channel.postMessage({ ask: true });
    this.answered = new Promise((go) => setTimeout(go, 150));
  }
  hold(session) {
    if (this.#own.has(session)) return;
    this.#own.add(session);
    navigator.locks?.request(PREFIX + session, () => new Promise(() => {})).catch(() => {});
  }
  async lives(session) {
    await this.answered;
    if (!navigator.locks) return this.#heard.has(session);
    const patience = { signal: AbortSignal.timeout(PATIENCE) };
    return navigator.locks.request(PREFIX + session, patience, () => false).catch(() => true);
  }
}

export class Storage {
  #neighbours = new Neighbours();
  #left = []; // keys of what pages that are gone have kept

  async ready() {
    const kept = this.#kept(), sessions = [...new Set(kept.map(sessionOfKey))];
    const live = await Promise.all(sessions.map((session) => this.#neighbours.lives(session)));
    this.#left = kept.filter((key) => !live[sessions.indexOf(sessionOfKey(key))]);
  }

  // Before the program begins.
  serve(FS) {
    FS.mkdir(FOLDER);
    for (const key of this.#left) {
      const text = storage.getItem(key);
      if (text !== null) FS.writeFile(`${FOLDER}/${key.slice(PREFIX.length)}`, text);
    }
    const { rename, unlink } = FS;
    FS.rename = (from, to) => {
      if (to.startsWith(`${FOLDER}/`)) this.#keep(FS, from, to.slice(FOLDER.length + 1));
      rename(from, to);
      if (from.startsWith(`${FOLDER}/`)) this.#forget(from);
    };
    FS.unlink = (path) => {
      unlink(path);
      if (path.startsWith(`${FOLDER}/`)) this.#forget(path);
    };
  }

  #kept() {
    return storage ? Object.keys(storage).filter((key) => key.startsWith(PREFIX)) : [];
  }
  #keep(FS, from, name) {
    if (!storage) throw new FS.ErrnoError(EACCES);
    this.#neighbours.hold(sessionOf(name));
    try {
      storage.setItem(PREFIX + name, FS.readFile(from, { encoding: 'utf8' }));
    } catch {
      throw new FS.ErrnoError(ENOSPC);
    }
  }
  #forget(path) {
    storage?.removeItem(PREFIX + path.slice(FOLDER.length + 1));
  }
}
