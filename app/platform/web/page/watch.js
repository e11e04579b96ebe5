// No module, so that it runs where the page's modules may not be loaded: it says why.
window.addEventListener('error', ({ target }) => {
  if (!(target instanceof HTMLScriptElement)) return;
  const what = document.getElementById('what');
  document.getElementById('progress').hidden = true;
  document.getElementById('cover').classList.add('failed');
  what.setAttribute('role', 'alert');
  what.textContent = window.origin === 'null'
    ? 'This frame may not read its own files: its sandbox needs allow-same-origin as well, or its server the header Access-Control-Allow-Origin: *.'
    : 'A part of the page cannot be read. Reload it, or ask who keeps its server.';
}, true);
