// Text in drawings, which does not wrap or shorten by itself.

/** Shares of the font size that characters take, rather too wide than too narrow. */
function widthOf(character: string): number {
  if ((character.codePointAt(0) ?? 0) >= 0x1100) return 1.05;
  if (/[ijlI.,:;|!'()[\]]/.test(character)) return 0.36;
  if (/[mwMW@%]/.test(character)) return 0.96;
  return /[A-Z]/.test(character) ? 0.72 : 0.63;
}

/** The factor by which bold text is wider, at most. */
export const BOLD = 1.16;

/** The width of a text in pixels, roughly. */
export function widthOfText(text: string, size: number): number {
  return [...text].reduce((sum, it) => sum + widthOf(it), 0) * size;
}

/** Shortens a text to a width in pixels, with an ellipsis. */
export function fit(text: string, px: number, size: number): string {
  const room = px / size;
  let taken = 0;
  const kept: string[] = [];
  for (const character of text) {
    taken += widthOf(character);
    if (taken > room) return kept.length > 1 ? `${kept.slice(0, -1).join('')}…` : '';
    kept.push(character);
  }
  return text;
}

/** Shortens a text to a width in pixels in its middle: names of a kind often differ at their ends. */
export function fitMiddle(text: string, px: number, size: number): string {
  if (widthOfText(text, size) <= px) return text;
  const letters = [...text];
  const room = (px / size - 1) / 2;
  const taken = (from: string[]): string[] => {
    let width = 0;
    return from.slice(0, from.findIndex((it) => { width += widthOf(it); return width > room; }));
  };
  return `${taken(letters).join('')}…${taken(letters.reverse()).reverse().join('')}`;
}

/** Shortens a text to a width in pixels by whole words. */
export function fitWords(text: string, px: number, size: number): string {
  const words = text.split(' ');
  while (words.length > 0 && widthOfText(words.join(' '), size) > px) words.pop();
  return words.join(' ');
}

/** The label of something whose text may be shortened: it begins with the visible text, so that a user can speak it. */
export function spoken(shown: readonly string[], whole: readonly string[]): string {
  const [seen, full] = [shown, whole].map((it) => it.filter(Boolean).join(' '));
  return seen === full || !seen ? full ?? '' : `${seen} · ${full}`;
}
