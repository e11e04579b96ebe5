// The address of the page: #d= has a document in it, which the program reads; #url= names a file beside the page.

const SLOW = 1000; // ms, until it is said what is waited for

export async function openAddress(files) {
  const hash = location.hash;
  if (hash.length < 2) return;
  const parts = new URLSearchParams(hash.slice(1)), name = parts.get('url');
  if (name === null) return files.open(hash);
  await fetched(files, name, async (answer) => files.open(`#d=${await dataOf(answer)}${rest(parts)}`));
}

// An example beside the page, or a link that changes it, which the program asks for: it finds it then.
export async function openExample(files, name, link) {
  await fetched(files, `examples/${name}`, async (answer) => {
    files.layExample(name, new Uint8Array(await answer.arrayBuffer()));
    files.open(link || `#example=${name}`);
  });
}

// A file beside the page; what is wrong with it is said as of any file that cannot be opened.
async function fetched(files, name, take) {
  const leave = new AbortController();
  const waits = setTimeout(() => files.wait(`Waiting for ${name}. Esc leaves it. `, leave), SLOW);
  try {
    await take(await answerOf(name, leave.signal));
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

export async function answerOf(name, signal) {
  const address = new URL(name, location.href);
  if (address.origin !== location.origin) throw new Error('stands on another server; a link opens files beside its page');
  const answer = await fetch(address, { signal }).catch(() => null);
  if (!answer) throw new Error('cannot be read: the server does not answer');
  if (!answer.ok) throw new Error(`cannot be read: the server says ${answer.status}`);
  return answer;
}

// The file as a link has it.
async function dataOf(answer) {
  const deflated = answer.body.pipeThrough(new CompressionStream('deflate'));
  const bytes = new Uint8Array(await new Response(deflated).arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
