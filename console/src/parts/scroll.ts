// The positions of the rows of a table while it scrolls. Browsers limit the height of an element, so a table of very
// many rows has a body of that limit, and its scroll bar stands for more pixels than it has. Pure.

export const ROW_PX = 28;
/** The highest body that every browser draws: Firefox ends below 18 million pixels, others above 30 million. */
export const MAX_PX = 15_000_000;
/** Rows are placed from a multiple of this number on, so that no row is farther down than a browser can say. */
const BLOCK = 10_000;

/** The height of the body that holds the rows. */
export const bodyHeight = (total: number): number => Math.min(total * ROW_PX, MAX_PX);

/** The pixels of all rows for each pixel of the scroll bar: 1 if the body holds all rows. `height` is that of the window onto them, without the head. */
function ratio(total: number, height: number): number {
  const body = bodyHeight(total);
  return body === total * ROW_PX || body <= height ? 1 : (total * ROW_PX - height) / (body - height);
}

/** The pixels of rows above the window when the scroll bar is at `scrolled`. */
export const topAt = (scrolled: number, total: number, height: number): number =>
  Math.max(0, Math.min(scrolled * ratio(total, height), total * ROW_PX - height));

/** The position of the scroll bar at which these pixels of rows are above the window. */
export const scrolledAt = (top: number, total: number, height: number): number => top / ratio(total, height);

/**
 * The pixels above the window after the scroll bar moved. A browser rounds where it puts the bar, and a pixel of it can be
 * many rows: a bar that is where it was put leaves the rows as they are.
 */
export function topAfter(before: number, scrolled: number, total: number, height: number): number {
  return Math.abs(scrolledAt(before, total, height) - scrolled) < 1 ? before : topAt(scrolled, total, height);
}

/** The first row and the one after the last row to draw, with some more on both sides. */
export function rowsAt(top: number, height: number, total: number, around: number): { from: number; to: number } {
  return { from: Math.max(0, Math.floor(top / ROW_PX) - around), to: Math.min(total, Math.ceil((top + height) / ROW_PX) + around) };
}

/** The row that row positions are counted from. */
export const baseOf = (from: number): number => Math.floor(from / BLOCK) * BLOCK;

/** The pixels of rows above the window after it moved as little as needed to show a row, whole. */
export function topFor(index: number, top: number, height: number): number {
  const row = index * ROW_PX;
  const room = height - ROW_PX;
  if (row < top) return row;
  return row > top + room ? row - room : top;
}
