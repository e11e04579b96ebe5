// Files come by picking and dropping, and go as downloads: what the program saves, wherever, is handed over.
import { withText } from './text.js';

const FOLDER = '/documents', EXAMPLES = '/examples';
const MOST = 96 * 2 ** 20; // bytes of a file that is read (core/files/whole_file.h): of a larger one nothing is taken in

export class Files {
  #picker = document.createElement('input');
  #waits = document.getElementById('waits');

  constructor(module) {
    this.module = module;
    const { FS } = module;
    FS.mkdir(FOLDER);
    FS.mkdir(EXAMPLES);
    FS.chdir(FOLDER);
    this.#handOver(FS);
    this.#picker.type = 'file';
    this.#picker.hidden = true;
    document.body.append(this.#picker);
    this.#picker.addEventListener('change', () => {
      this.takeAll([...this.#picker.files]);
      this.#picker.value = '';
    });
    const page = document.documentElement;
    page.addEventListener('dragover', (event) => event.preventDefault());
    page.addEventListener('drop', (event) => this.#drop(event));
  }

  pick(text) {
    this.#picker.accept = text ? '.txt,.md,text/plain' : '.json,application/json,.safetensors,.gguf,.npz,.pt,.pth,.bin';
    this.#picker.multiple = !text;
    this.#picker.click();
  }

  #drop(event) {
    event.preventDefault();
    const [item] = event.dataTransfer.items;
    const entry = item?.webkitGetAsEntry?.();
    if (entry?.isDirectory) return this.#takeFolder(entry);
    if (event.dataTransfer.files.length > 0) return this.takeAll([...event.dataTransfer.files]);
    const text = event.dataTransfer.getData('text/plain'); // a link that was dragged here
    if (text) this.open(text);
  }

  // A model's folder: its files, and none of the folders within.
  async #takeFolder(folder) {
    const reader = folder.createReader(), files = [];
    for (let some; (some = await new Promise((done, failed) => reader.readEntries(done, failed))).length > 0;)
      for (const entry of some)
        if (entry.isFile) files.push(await new Promise((done, failed) => entry.file(done, failed)));
    this.takeAll(files, folder.name);
  }

  // Several that belong together, as a model's arrays, its config and its tokenizer do, become a folder.
  async takeAll(files, folder = 'model') {
    if (files.length === 1 && folder === 'model') return this.take(files[0]);
    const size = files.reduce((sum, file) => sum + file.size, 0);
    if (size > MOST) return this.refuse(`The files have ${Math.round(size / 2 ** 20)} MiB together, and a page takes at most ${MOST / 2 ** 20}; the program for the desktop takes larger ones`);
    const safe = this.lay(folder, null);
    const { FS } = this.module;
    for (const name of FS.readdir(`${FOLDER}/${safe}`)) if (name !== '.' && name !== '..') FS.unlink(`${FOLDER}/${safe}/${name}`);
    for (const file of files)
      FS.writeFile(`${FOLDER}/${safe}/${file.name.replace(/[/\0]/g, '_')}`, new Uint8Array(await file.arrayBuffer()));
    this.open(safe);
  }

  async take(file) {
    if (file.size > MOST) return this.refuse(`${file.name} has ${Math.round(file.size / 2 ** 20)} MiB, and a page takes files of at most ${MOST / 2 ** 20}; the program for the desktop takes larger ones`);
    this.open(this.lay(file.name, new Uint8Array(await file.arrayBuffer())));
  }

  // Under its own name; without bytes as a folder, which the program says what it thinks of.
  lay(name, bytes) {
    const { FS } = this.module;
    const safe = name.replace(/[/\0]/g, '_');
    const path = `${FOLDER}/${safe}`;
    const there = FS.analyzePath(path).object;
    if (bytes === null) {
      if (!there) FS.mkdir(path);
    } else {
      if (there && FS.isDir(there.mode)) FS.rmdir(path);
      FS.writeFile(path, bytes);
    }
    return safe;
  }

  layExample(name, bytes) {
    this.module.FS.writeFile(`${EXAMPLES}/${name}`, bytes);
  }

  // What is waited for, and how to leave it; without words nothing is.
  wait(words, leave) {
    this.#waits.hidden = words === '';
    this.#waits.replaceChildren(words);
    if (!leave) return;
    const button = document.createElement('button');
    button.textContent = 'Leave';
    button.addEventListener('click', () => leave.abort());
    this.#waits.append(button);
    addEventListener('keydown', (event) => event.key === 'Escape' && leave.abort(), { signal: leave.signal, capture: true });
  }

  // A path, or a link.
  open(what) {
    withText(this.module, what, this.module._hydra_open);
  }
  refuse(why) {
    withText(this.module, why, this.module._hydra_refuse);
  }

  // A file is whole when it takes its name (core/files/replacement.h).
  #handOver(FS) {
    const rename = FS.rename;
    FS.rename = (from, to) => {
      rename(from, to);
      // Whatever folder somebody has typed: a file that is saved is a download, by its own name.
      const path = to.startsWith('/') ? to : `${FS.cwd()}/${to}`;
      const inner = path.startsWith('/unsaved/') || path.includes('/.local/') || path.includes('/.cache/');
      if (!inner) this.#download(path.slice(path.lastIndexOf('/') + 1), FS.readFile(path));
    };
  }
  #download(name, bytes) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([bytes], { type: 'application/json' }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  }
}
