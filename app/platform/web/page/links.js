// The address of the page: #d= has a document in it, which the program reads; #url= names a file beside the page.

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
  try {
    files.open(await linkOf(name, parts));
  } catch (fault) {
    files.refuse(`${name}: ${fault.message}`);
  }
}

// The same document as a link that has it, with the same view, page, layer and head.
async function linkOf(name, parts) {
  const address = new URL(name, location.href);
  if (address.origin !== location.origin) throw new Error('stands on another server; a link opens files beside its page');
  const answer = await fetch(address).catch(() => null);
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
