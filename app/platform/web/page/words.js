// Words of scripts that the program's own faces do not have, drawn by the browser, which finds fonts and shapes them.

const FAMILY = 'Inter, "Noto Sans", system-ui, sans-serif';

export class Words {
  #canvas = document.createElement('canvas');
  #context = this.#canvas.getContext('2d', { willReadFrequently: true });

  // In pixels, from the pen on the baseline. White where it has no colours of its own, its coverage in alpha.
  draw(text, em, wanted) {
    const context = this.#context;
    const font = `${em}px ${FAMILY}`;
    context.font = font;
    const box = context.measureText(text);
    const left = Math.floor(-box.actualBoundingBoxLeft) - 1;
    const top = Math.ceil(box.actualBoundingBoxAscent) + 1;
    const width = Math.max(1, Math.ceil(box.actualBoundingBoxRight) + 1 - left);
    const height = Math.max(1, Math.ceil(box.actualBoundingBoxDescent) + 1 + top);
    const word = { width, height, left, top, advance: box.width, colored: false };
    if (!wanted) return word;
    if (width > 4096 || height > 4096) return null;
    this.#canvas.width = width;
    this.#canvas.height = height;
    context.font = font;
    context.fillStyle = '#fff';
    context.fillText(text, -left, top);
    word.rgba = context.getImageData(0, 0, width, height).data;
    for (let k = 0; k < word.rgba.length && !word.colored; k += 4) {
      const [r, g, b, a] = word.rgba.subarray(k, k + 4);
      word.colored = a > 32 && Math.min(r, g, b) < 200;
    }
    if (!word.colored) for (let k = 0; k < word.rgba.length; ++k) if (k % 4 !== 3) word.rgba[k] = 255;
    return word;
  }
}
