// Loads the program while the cover shows how far it is, and joins it to the page.
import { Cover } from './cover.js';
import { Files } from './files.js';
import { Keys } from './keys.js';
import { answerOf, openAddress, openExample } from './links.js';
import { Loop } from './loop.js';
import { Pointer } from './pointer.js';
import { watchContext, watchSight } from './sight.js';
import { Stacks } from './stacks.js';
import { Storage } from './storage.js';
import { Tree } from './tree.js';
import { Words } from './words.js';

const element = (name) => document.getElementById(name);
const canvas = element('canvas'), cover = new Cover(element);

const framed = window.parent !== window;
document.documentElement.classList.toggle('framed', framed);
function fail(why) {
  page.loop.end();
  cover.fail(why);
}

// What the program asks of the page (bridge.js).
const page = {
  fail,
  unsaved: false,
  loop: new Loop(() => fit()),
  stacks: new Stacks((fault) => fail(`The program has failed: ${fault}. Reload the page; what was not saved is offered again.`)),
  words: new Words(),
  openExample: (name, link) => openExample(page.files, name, link),
  end() {
    page.unsaved = false;
    fail('Hydrascope is closed. Reload the page to begin again.');
  },
};

// --- the size of the canvas, in pixels of the screen

let size = null;
let ratio = 0; // of the screen, as it was measured
// Of a screen that developer's tools pretend, the box has the pixels of the real one.
const measurer = new ResizeObserver(([entry]) => {
  ratio = window.devicePixelRatio;
  const css = entry.contentRect, box = entry.devicePixelContentBoxSize?.[0];
  const real = box && Math.abs(box.inlineSize - css.width * ratio) < 2 && Math.abs(box.blockSize - css.height * ratio) < 2;
  size = real ? { width: box.inlineSize, height: box.blockSize }
              : { width: Math.round(css.width * ratio), height: Math.round(css.height * ratio) };
  page.loop.ask(0);
});
measurer.observe(canvas);

// Just before a frame, which draws what changing the size has wiped out.
function fit() {
  if (window.devicePixelRatio !== ratio) { // another screen, on which the canvas may be as large as before
    measurer.disconnect();
    measurer.observe(canvas);
  }
  if (!size) return;
  canvas.width = size.width;
  canvas.height = size.height;
  page.loop.module._hydra_size(size.width, size.height, ratio);
  size = null;
}

// --- loading

// Whether the page may have threads. ?threads=off does without.
const threads = globalThis.crossOriginIsolated === true && new URLSearchParams(location.search).get('threads') !== 'off';
// Without its server a page has what an earlier visit has kept, which may be the other build.
async function buildToRun() {
  if (!threads) return 'turns';
  return (await fetch('threads/hydrascope.js').then((answer) => answer.ok, () => false)) ? 'threads' : 'turns';
}

async function load(name) {
  const answer = await fetch(name);
  if (!answer.ok) throw new Error(`${name} cannot be read: the server says ${answer.status}`);
  return answer;
}

// ?wording=NAME: the texts in another language, a file beside the page, under a line with its name (main.cpp).
async function wordingAsked() {
  const name = new URLSearchParams(location.search).get('wording');
  if (!name) return '';
  const answer = await answerOf(name).catch((fault) => {
    throw new Error(`${name}: ${fault.message}`);
  });
  return `${name.replaceAll('\n', ' ')}\n${await answer.text()}`;
}

const FONTS = ['Inter-Regular.otf', 'Inter-SemiBold.otf', 'DejaVuSans.ttf', 'DejaVuSansMono.ttf'];

async function begin() {
  const build = await buildToRun();
  // As the server gives it: of an answer that is wrapped anew browsers keep no compiled code for the next visit.
  const program = WebAssembly.compileStreaming(load(`${build}/hydrascope.wasm`));
  program.then(() => performance.mark('compiled'), () => {}); // a fault is heard below
  const fonts = FONTS.map(async (name) => new Uint8Array(await (await load(`fonts/${name}`)).arrayBuffer()));
  const wording = wordingAsked();
  const storage = new Storage();
  const script = document.createElement('script');
  script.src = `${build}/hydrascope.js`;
  await Promise.all([
    new Promise((there, missing) => {
      script.onload = there;
      script.onerror = () => missing(new Error(`${script.src} cannot be read`));
      document.head.append(script);
    }),
    storage.ready(),
  ]);
  const faces = await Promise.all(fonts), table = await wording;
  const module = await globalThis.hydrascope({
    page, canvas,
    mainScriptUrlOrBlob: script.src,
    locateFile: (name) => new URL(`${build}/${name}`, document.baseURI).href,
    instantiateWasm(imports, done) {
      program.then(async (module) => done(await WebAssembly.instantiate(module, imports), module)).catch((fault) => fail(`The program cannot be loaded: ${fault.message}. Reload the page.`));
      return {};
    },
    preRun: [(m) => {
      performance.mark('instance'); // with the first threads
      m.FS.mkdir('/fonts');
      FONTS.forEach((name, k) => m.FS.writeFile(`/fonts/${name}`, faces[k]));
      if (table) m.FS.writeFile('/wording', table);
      page.files = new Files(m);
      storage.serve(m.FS);
      page.keys = new Keys(element('keys'), element('end'), m, canvas, framed);
      page.tree = new Tree(element, m);
    }],
    onAbort: (why) => fail(`The program has failed: ${why}. Reload the page; what was not saved is offered again.`),
  });
  performance.mark('begun');
  page.module = module;
  follow(module);
  new Pointer(canvas, module, page.keys, framed);
  page.loop.begin(module);
  cover.loaded();
  await openAddress(page.files);
  window.addEventListener('hashchange', () => openAddress(page.files));
}

// What the system's user prefers, from the first frame on and whenever it changes.
function follow(module) {
  const dark = matchMedia('(prefers-color-scheme: dark)'), calm = matchMedia('(prefers-reduced-motion: reduce)');
  const tell = () => module._hydra_prefer(dark.matches ? 1 : 0, calm.matches ? 1 : 0);
  dark.addEventListener('change', tell);
  calm.addEventListener('change', tell);
  tell();
}

// --- leaving

// A frame goes with its page, which may not be kept by it: unsaved work is offered again.
window.addEventListener('beforeunload', (event) => {
  if (!page.unsaved || framed) return;
  event.preventDefault();
  event.returnValue = true;
});
watchSight(canvas, (seen) => {
  if (!seen) page.module?._hydra_keep();
  page.loop.see(seen);
});
watchContext(canvas, cover, (lost) => page.module?._hydra_context(lost ? 1 : 0));

const trial = document.createElement('canvas').getContext('webgl2');
if (!trial) {
  fail('This browser gives no WebGL 2, with which Hydrascope draws. A newer browser does, or the same with hardware acceleration turned on in its settings; the program for the desktop needs neither.');
} else {
  trial.getExtension('WEBGL_lose_context')?.loseContext();
  globalThis.hydrascopePage = page;
  begin().catch((fault) => fail(`The program cannot be loaded: ${fault.message}. Reload the page.`));
}
// What this browser has used is kept for the next visit; where that is not allowed, the page needs its server.
function keepFiles() {
  const used = () => performance.getEntriesByType('resource').map((entry) => entry.name).filter((name) => name.startsWith(new URL('.', location).href));
  const tell = (worker) => worker?.postMessage({ keep: [new URL('.', location).href, ...used()] });
  navigator.serviceWorker.register('worker.js').then(async () => {
    const { active } = await navigator.serviceWorker.ready;
    page.loop.began.then(() => tell(active));
  }).catch(() => {});
}
try {
  if ('serviceWorker' in navigator) keepFiles();
} catch { // a frame with sandbox may not even ask
}
