// Whether there is a picture, and whether anybody can see it.

const PATIENCE = 5000; // ms, in which a browser has begun its graphics anew

// The tab is in front, and some of the canvas within what the windows around a frame show.
export function watchSight(canvas, tell) {
  let within = true, seen = true;
  const look = () => {
    const now = within && document.visibilityState === 'visible';
    if (now !== seen) tell(now);
    seen = now;
  };
  new IntersectionObserver((entries) => {
    within = entries.at(-1).isIntersecting;
    look();
  }).observe(canvas);
  document.addEventListener('visibilitychange', look);
  look();
}

// A browser may take the picture away, as when its graphics begin anew, and give it back, or not.
export function watchContext(canvas, cover, tell) {
  let patience = 0;
  canvas.addEventListener('webglcontextlost', (event) => {
    event.preventDefault(); // or it would not come back
    tell(true);
    cover.lose('The browser has taken the picture away, as it does when its graphics begin anew. The document is still there, and the picture comes back by itself.');
    patience = setTimeout(() => cover.lose('The browser has not given the picture back. Reload the page; what was not saved is offered again.'), PATIENCE);
  });
  canvas.addEventListener('webglcontextrestored', () => {
    clearTimeout(patience);
    tell(false);
    cover.lose('');
  });
}
