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

// Who is asked answers with the sessions that it keeps.
class Neighbours {
  #channel = typeof BroadcastChannel === 'function' ? new BroadcastChannel('hydrascope') : null;
  #heard = new Set();
  own = new Set();

  constructor() {
    if (!this.#channel) return;
    this.#channel.onmessage = ({ data }) => {
      if (data?.ask === true) this.#channel.postMessage({ mine: [...this.own] });
      else if (Array.isArray(data?.mine)) for (const session of data.mine) this.#heard.add(session);
    };
    this.#channel.postMessage({ ask: true });
    this.answered = new Promise((go) => setTimeout(go, 150));
  }
  async sessions() {
    await this.answered;
    return this.#heard;
  }
}

export class Storage {
  #neighbours = new Neighbours();

  async ready() {
    this.alive = storage?.length ? await this.#neighbours.sessions() : new Set();
  }

  // Before the program begins.
  serve(FS) {
    FS.mkdir(FOLDER);
    for (const key of this.#kept()) {
      const name = key.slice(PREFIX.length);
      if (!this.alive.has(sessionOf(name))) FS.writeFile(`${FOLDER}/${name}`, storage.getItem(key));
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
    this.#neighbours.own.add(sessionOf(name));
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
