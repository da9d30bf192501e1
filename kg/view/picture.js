// The drawing as a file: PNG as it is on the screen, SVG with the same shapes and texts.

function download(name, type, content) {
  const anchor = make("a");
  anchor.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10000);
}

const escapeXml = (text) => text.replace(/[^\P{Cc}\t\n]/gu, " ").replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

// What the drawing needs of a canvas context, written down as SVG.
class SvgContext {
  constructor(screen, scale, origin) {
    this.canvas = { clientWidth: screen.canvas.clientWidth, clientHeight: screen.canvas.clientHeight };
    [this.canvas.width, this.canvas.height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    Object.assign(this, { screen, saved: [], out: [], path: "", dash: [], globalAlpha: 1, lineWidth: 1, font: "", textAlign: "left" });
    this.move = { k: scale, x: origin.x, y: origin.y };
  }

  save() { this.saved.push({ move: this.move, globalAlpha: this.globalAlpha, lineWidth: this.lineWidth, font: this.font, textAlign: this.textAlign, fillStyle: this.fillStyle, strokeStyle: this.strokeStyle, dash: this.dash }); }

  restore() { Object.assign(this, this.saved.pop()); }

  setTransform(k, _b, _c, _d, x, y) { this.move = { k, x, y }; }

  setLineDash(dash) { this.dash = dash; }

  at(x, y) { return `${(x * this.move.k + this.move.x).toFixed(1)} ${(y * this.move.k + this.move.y).toFixed(1)}`; }

  beginPath() { this.path = ""; }

  moveTo(x, y) { this.path += `M${this.at(x, y)}`; }

  lineTo(x, y) { this.path += `L${this.at(x, y)}`; }

  closePath() { this.path += "Z"; }

  rect(x, y, width, height) { this.path += `M${this.at(x, y)}L${this.at(x + width, y)}L${this.at(x + width, y + height)}L${this.at(x, y + height)}Z`; }

  arc(x, y, r) {
    const size = (r * this.move.k).toFixed(1);
    this.path += `M${this.at(x - r, y)}A${size} ${size} 0 1 1 ${this.at(x + r, y)}A${size} ${size} 0 1 1 ${this.at(x - r, y)}Z`;
  }

  fill() { this.out.push(`<path d="${this.path}" fill="${this.fillStyle}" opacity="${this.globalAlpha.toFixed(2)}"/>`); }

  stroke() {
    const dash = this.dash.length ? ` stroke-dasharray="${this.dash.map((one) => (one * this.move.k).toFixed(1)).join(" ")}"` : "";
    this.out.push(`<path d="${this.path}" fill="none" stroke="${this.strokeStyle}" stroke-width="${(this.lineWidth * this.move.k).toFixed(2)}" opacity="${this.globalAlpha.toFixed(2)}"${dash}/>`);
  }

  measureText(text) {
    this.screen.font = this.font;
    return this.screen.measureText(text);
  }

  strokeText() {} // the halo is part of the text

  fillText(text, x, y) {
    const [, weight, size] = this.font.match(/^(\d+) ([\d.]+)px/) ?? [null, "400", "12"];
    const anchor = { left: "start", right: "end", center: "middle" }[this.textAlign];
    this.out.push(`<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" font-size="${size}" font-weight="${weight}" text-anchor="${anchor}" fill="${this.fillStyle}" stroke="${this.strokeStyle}" stroke-width="3" paint-order="stroke" opacity="${this.globalAlpha.toFixed(2)}">${escapeXml(text)}</text>`);
  }

  toString() {
    const { width, height } = this.canvas;
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif"><rect width="${width}" height="${height}" fill="${INK.ground}"/>${this.out.join("")}</svg>`;
  }
}

const onScreen = () => CANVAS.querySelector("canvas");

function toSvg() {
  const context = new SvgContext(onScreen().getContext("2d"), network.getScale(), network.canvasToDOM({ x: 0, y: 0 }));
  paint(context);
  return context.toString();
}

function savePng() {
  const screen = onScreen();
  const copy = make("canvas");
  [copy.width, copy.height] = [screen.width, screen.height];
  const ctx = copy.getContext("2d");
  ctx.fillStyle = INK.ground;
  ctx.fillRect(0, 0, copy.width, copy.height);
  ctx.drawImage(screen, 0, 0);
  copy.toBlob((blob) => download("graph.png", "image/png", blob));
}
