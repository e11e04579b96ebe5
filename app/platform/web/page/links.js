// The address of the page: #d= has a document in it, which the program reads; #url= names a file beside the page.

const SLOW = 1000; // ms, until it is said what is waited for

export async function openAddress(files) {
  const hash = location.hash;
  if (hash.length < 2) return;
  const parts = new URLSearchParams(hash.slice(1)), name = parts.get('url');
  if (name === null) files.open(hash);
  else await openBeside(files, name, (data) => `#d=${data}${rest(parts)}`);
}

// An example beside the page, or a link that changes it, which the program asks for when it has been given one.
export async function openExample(files, name, link) {
  await openBeside(files, `examples/${name}`, (data) => (link ? `${link}&base=${data}` : `#d=${data}&example=${name}`));
}

// A file beside the page; what is wrong with it is said as of any file that cannot be opened.
async function openBeside(files, name, linkOf) {
  const leave = new AbortController();
  const waits = setTimeout(() => files.wait(`Waiting for ${name}. Esc leaves it. `, leave), SLOW);
  try {
    files.open(linkOf(await dataOf(name, leave.signal)));
  } catch (fault) {
    files.refuse(leave.signal.aborted ? `${name}: was not waited for` : `${name}: ${fault.message}`);
  } finally {
    clearTimeout(waits);
    files.wait('');
  }
}

// The members of an address that are not of the file itself: view, page, layer and head.
function rest(parts) {
  return [...parts].filter(([key]) => key !== 'url').map(([key, value]) => `&${key}=${value}`).join('');
}

// The file as a link has it.
async function dataOf(name, signal) {
  const address = new URL(name, location.href);
  if (address.origin !== location.origin) throw new Error('stands on another server; a link opens files beside its page');
  const answer = await fetch(address, { signal }).catch(() => null);
  if (!answer) throw new Error('cannot be read: the server does not answer');
  if (!answer.ok) throw new Error(`cannot be read: the server says ${answer.status}`);
  const deflated = answer.body.pipeThrough(new CompressionStream('deflate'));
  const bytes = new Uint8Array(await new Response(deflated).arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
