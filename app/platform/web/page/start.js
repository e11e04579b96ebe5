// Loads the program while the cover shows how far it is, and joins it to the page.
import { Files } from './files.js';
import { Keys } from './keys.js';
import { openAddress, openBeside } from './links.js';
import { Loop } from './loop.js';
import { Pointer } from './pointer.js';
import { Stacks } from './stacks.js';
import { Storage } from './storage.js';
import { Tree } from './tree.js';
import { Words } from './words.js';

const element = (name) => document.getElementById(name);
const canvas = element('canvas'), cover = element('cover'), progress = element('progress'), what = element('what');

const framed = window.parent !== window;
document.documentElement.classList.toggle('framed', framed);
let failed = false;
function fail(why) {
  if (failed) return;
  failed = true;
  page.loop.end();
  cover.hidden = false;
  cover.classList.add('failed');
  progress.hidden = true;
  what.textContent = why;
  what.setAttribute('role', 'alert');
}

// What the program asks of the page (bridge.js).
const page = {
  fail,
  unsaved: false,
  loop: new Loop(() => fit()),
  stacks: new Stacks((fault) => fail(`The program has failed: ${fault}. Reload the page; what was not saved is offered again.`)),
  words: new Words(),
  openBeside: (name) => openBeside(page.files, name),
  end() {
    page.unsaved = false;
    fail('Hydrascope is closed. Reload the page to begin again.');
  },
};

// --- the size of the canvas, in pixels of the screen

let size = null;
new ResizeObserver(([entry]) => {
  const box = entry.devicePixelContentBoxSize?.[0];
  const ratio = window.devicePixelRatio;
  size = box ? { width: box.inlineSize, height: box.blockSize }
             : { width: Math.round(canvas.clientWidth * ratio), height: Math.round(canvas.clientHeight * ratio) };
  page.loop.ask(0);
}).observe(canvas);

// Just before a frame, which draws what changing the size has wiped out.
function fit() {
  if (!size) return;
  canvas.width = size.width;
  canvas.height = size.height;
  page.loop.module._hydra_size(size.width, size.height, window.devicePixelRatio);
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

const FONTS = ['Inter-Regular.otf', 'Inter-SemiBold.otf', 'DejaVuSans.ttf', 'DejaVuSansMono.ttf'];

async function begin() {
  const build = await buildToRun();
  // As the server gives it: of an answer that is wrapped anew browsers keep no compiled code for the next visit.
  const program = WebAssembly.compileStreaming(load(`${build}/hydrascope.wasm`));
  program.then(() => performance.mark('compiled'), () => {}); // a fault is heard below
  const fonts = FONTS.map(async (name) => new Uint8Array(await (await load(`fonts/${name}`)).arrayBuffer()));
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
  const faces = await Promise.all(fonts);
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
  cover.hidden = failed === false;
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

// --- leaving, and the picture that a browser may take away

// A frame goes with its page, which may not be kept by it: unsaved work is offered again.
window.addEventListener('beforeunload', (event) => {
  if (!page.unsaved || framed) return;
  event.preventDefault();
  event.returnValue = true;
});
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') page.module?._hydra_keep();
  else page.loop.ask(0);
});
canvas.addEventListener('webglcontextlost', (event) => {
  event.preventDefault();
  page.module?._hydra_context(1);
});
canvas.addEventListener('webglcontextrestored', () => page.module?._hydra_context(0));

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
