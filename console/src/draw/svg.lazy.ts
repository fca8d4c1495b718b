// Drawings as files: SVG with the colours that the page computed, and PNG of it.

/** The properties that are taken over from the style sheet, as attributes that every viewer of SVG knows. */
const KEPT = [
  'fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'opacity', 'font-family', 'font-weight', 'font-style',
  'text-decoration-line',
];
/** The defaults of SVG, which are left out. Inherited values are not repeated either. */
const USUAL: Record<string, string> = { opacity: '1', 'text-decoration-line': 'none', stroke: 'none', 'stroke-dasharray': 'none', 'fill-opacity': '1', 'stroke-linecap': 'butt' };
const SPACE = 'http://www.w3.org/2000/svg';
const MARGIN = 16;
const HEAD = 26;
/** Pixels of a PNG for each of the drawing's, and the most that browsers draw on a canvas. */
const SHARPNESS = 2;
const MAX_PIXELS = 16_000;

/** A copy of an element that looks the same without the style sheet, and does nothing. */
function still(of: SVGElement, around: CSSStyleDeclaration | null): SVGElement {
  const copy = of.cloneNode(false) as SVGElement;
  for (const name of ['class', 'tabindex', 'role', 'style', ...of.getAttributeNames().filter((it) => /^(aria|data)-/.test(it))]) copy.removeAttribute(name);
  const style = getComputedStyle(of);
  if (of.localName !== 'title') {
    for (const name of KEPT) {
      const value = style.getPropertyValue(name);
      const known = name === 'opacity' || name === 'text-decoration-line' ? null : around?.getPropertyValue(name);
      if (value !== (known ?? USUAL[name])) copy.setAttribute(name, value);
      else copy.removeAttribute(name);
    }
  }
  for (const child of of.childNodes) {
    if (child instanceof SVGElement) {
      if (getComputedStyle(child).display !== 'none') copy.append(still(child, style));
    } else copy.append(child.cloneNode());
  }
  return copy;
}

interface Sheet {
  text: string;
  width: number;
  height: number;
}

/** Drawings side by side on one sheet, each under its title. */
function sheetOf(drawings: ReadonlyArray<{ svg: SVGSVGElement; title: string }>): Sheet {
  const sheet = document.createElementNS(SPACE, 'svg');
  const page = getComputedStyle(document.body);
  let width = MARGIN;
  let height = 0;
  const paper = document.createElementNS(SPACE, 'rect');
  sheet.append(paper);
  for (const { svg, title } of drawings) {
    const [wide, high] = [svg.viewBox.baseVal.width, svg.viewBox.baseVal.height];
    const name = document.createElementNS(SPACE, 'text');
    name.textContent = title;
    const copy = still(svg, null);
    for (const [key, value] of Object.entries({ x: width, y: HEAD, width: wide, height: high })) copy.setAttribute(key, String(value));
    for (const [key, value] of Object.entries({ x: width, y: HEAD - 8, fill: page.color, 'font-family': page.fontFamily, 'font-size': 13, 'font-weight': 600 })) {
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

/** The sheet as an SVG file. */
const svgFile = (sheet: Sheet): Blob => new Blob([sheet.text], { type: 'image/svg+xml' });

/** The sheet as a PNG file, drawn by the browser. Null if the browser cannot draw one so large. */
async function pngFile(sheet: Sheet): Promise<Blob | null> {
  const scale = Math.min(SHARPNESS, MAX_PIXELS / Math.max(sheet.width, sheet.height));
  const address = URL.createObjectURL(svgFile(sheet));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [Math.round(sheet.width * scale), Math.round(sheet.height * scale)];
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob(done, 'image/png'));
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Gives a file to whoever looks at the page. */
function download(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser has taken the address by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Saves drawings on one sheet as a file. False if the browser cannot draw a picture of this size. */
export async function saveDrawings(drawings: ReadonlyArray<{ svg: SVGSVGElement; title: string }>, type: 'svg' | 'png', name: string): Promise<boolean> {
  const sheet = sheetOf(drawings);
  const file = type === 'svg' ? svgFile(sheet) : await pngFile(sheet).catch(() => null);
  if (file) download(file, `${name}.${type}`);
  return file !== null;
}
