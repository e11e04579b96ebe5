// The address of the page: #d= has a document in it, which the program reads; #url= names a file beside the page.

const SLOW = 1000; // ms, until it is said what is waited for

export async function openAddress(files) {
  const hash = location.hash;
  if (hash.length < 2) return;
  const parts = new URLSearchParams(hash.slice(1));
  const name = parts.get('url');
  if (name === null) files.open(hash);
  else await openBeside(files, name, parts);
}

// A file beside the page; what is wrong with it is said as of any file that cannot be opened.
export async function openBeside(files, name, parts = new URLSearchParams()) {
  const leave = new AbortController();
  const waits = setTimeout(() => files.wait(`Waiting for ${name}. Esc leaves it. `, leave), SLOW);
  try {
    files.open(await linkOf(name, parts, leave.signal));
  } catch (fault) {
    files.refuse(leave.signal.aborted ? `${name}: was not waited for` : `${name}: ${fault.message}`);
  } finally {
    clearTimeout(waits);
    files.wait('');
  }
}

// The same document as a link that has it, with the same view, page, layer and head.
async function linkOf(name, parts, signal) {
  const address = new URL(name, location.href);
  if (address.origin !== location.origin) throw new Error('stands on another server; a link opens files beside its page');
  const answer = await fetch(address, { signal }).catch(() => null);
  if (!answer) throw new Error('cannot be read: the server does not answer');
  if (!answer.ok) throw new Error(`cannot be read: the server says ${answer.status}`);
  const deflated = answer.body.pipeThrough(new CompressionStream('deflate'));
  const bytes = new Uint8Array(await new Response(deflated).arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  const data = btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  parts.delete('url');
  const rest = [...parts].map(([key, value]) => `&${key}=${value}`).join('');
  return `#d=${data}${rest}`;
}
