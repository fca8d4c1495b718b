// src/draw/svg.lazy.ts
var KEPT = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linecap",
  "opacity",
  "font-family",
  "font-weight",
  "font-style",
  "text-decoration-line"
];
var USUAL = { opacity: "1", "text-decoration-line": "none", stroke: "none", "stroke-dasharray": "none", "fill-opacity": "1", "stroke-linecap": "butt" };
var SPACE = "http://www.w3.org/2000/svg";
var MARGIN = 16;
var HEAD = 26;
var SHARPNESS = 2;
var MAX_PIXELS = 16e3;
function still(of, around) {
  const copy = of.cloneNode(false);
  for (const name of ["class", "tabindex", "role", "style", ...of.getAttributeNames().filter((it) => /^(aria|data)-/.test(it))]) copy.removeAttribute(name);
  const style = getComputedStyle(of);
  if (of.localName !== "title") {
    for (const name of KEPT) {
      const value = style.getPropertyValue(name);
      const known = name === "opacity" || name === "text-decoration-line" ? null : around?.getPropertyValue(name);
      if (value !== (known ?? USUAL[name])) copy.setAttribute(name, value);
      else copy.removeAttribute(name);
    }
  }
  for (const child of of.childNodes) {
    if (child instanceof SVGElement) {
      if (getComputedStyle(child).display !== "none") copy.append(still(child, style));
    } else copy.append(child.cloneNode());
  }
  return copy;
}
function sheetOf(drawings) {
  const sheet = document.createElementNS(SPACE, "svg");
  const page = getComputedStyle(document.body);
  let width = MARGIN;
  let height = 0;
  const paper = document.createElementNS(SPACE, "rect");
  sheet.append(paper);
  for (const { svg, title } of drawings) {
    const [wide, high] = [svg.viewBox.baseVal.width, svg.viewBox.baseVal.height];
    const name = document.createElementNS(SPACE, "text");
    name.textContent = title;
    const copy = still(svg, null);
    for (const [key, value] of Object.entries({ x: width, y: HEAD, width: wide, height: high })) copy.setAttribute(key, String(value));
    for (const [key, value] of Object.entries({ x: width, y: HEAD - 8, fill: page.color, "font-family": page.fontFamily, "font-size": 13, "font-weight": 600 })) {
      name.setAttribute(key, String(value));
    }
    sheet.append(name, copy);
    width += wide + MARGIN;
    height = Math.max(height, high);
  }
  height += HEAD + MARGIN;
  for (const [key, value] of Object.entries({ width, height, fill: page.backgroundColor })) paper.setAttribute(key, String(value));
  for (const [key, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) sheet.setAttribute(key, String(value));
  return { text: new XMLSerializer().serializeToString(sheet), width, height };
}
var svgFile = (sheet) => new Blob([sheet.text], { type: "image/svg+xml" });
async function pngFile(sheet) {
  const scale = Math.min(SHARPNESS, MAX_PIXELS / Math.max(sheet.width, sheet.height));
  const address = URL.createObjectURL(svgFile(sheet));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [Math.round(sheet.width * scale), Math.round(sheet.height * scale)];
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob(done, "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}
function download(file, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1e4);
}
async function saveDrawings(drawings, type, name) {
  const sheet = sheetOf(drawings);
  const file = type === "svg" ? svgFile(sheet) : await pngFile(sheet).catch(() => null);
  if (file) download(file, `${name}.${type}`);
  return file !== null;
}
export {
  saveDrawings
};
