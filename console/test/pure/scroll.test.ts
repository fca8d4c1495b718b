// The scroll bar of a table reaches each row, however many there are.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { baseOf, bodyHeight, MAX_PX, ROW_PX, rowsAt, scrolledAt, topAfter, topAt, topFor } from '../../src/parts/scroll.ts';

const HEIGHT = 620;
const end = (total: number): number => bodyHeight(total) - HEIGHT;

test('a table that fits is not scaled', () => {
  for (const scrolled of [0, 1, 333.5, end(100_000)]) assert.equal(topAt(scrolled, 100_000, HEIGHT), scrolled);
  assert.equal(bodyHeight(100_000), 100_000 * ROW_PX);
});

test('an empty table, and one that is lower than its window, stay at the top', () => {
  for (const total of [0, 3]) {
    assert.equal(topAt(0, total, HEIGHT), 0);
    assert.deepEqual(rowsAt(0, HEIGHT, total, 12), { from: 0, to: total });
  }
});

test('the last row of any number is reached at the end of the scroll bar', () => {
  for (const total of [600_000, 1_000_000, 1_200_001, 50_000_000, 1_000_000_000]) {
    assert.equal(bodyHeight(total), MAX_PX);
    const top = topAt(end(total), total, HEIGHT);
    assert.ok(Math.abs(top - (total * ROW_PX - HEIGHT)) < 0.01, `${total}`);
    assert.equal(rowsAt(top, HEIGHT, total, 0).to, total);
  }
});

test('keys move by one row at every place of a scaled table', () => {
  const total = 30_000_000;
  for (const index of [0, 40, 1_000_000, 17_345_678, total - 1]) {
    const top = topFor(index, 0, HEIGHT);
    const scrolled = scrolledAt(top, total, HEIGHT);
    assert.ok(scrolled >= 0 && scrolled <= end(total) + ROW_PX);
    // The browser rounds the place of the bar.
    const kept = topAfter(top, Math.round(scrolled), total, HEIGHT);
    const { from, to } = rowsAt(kept, HEIGHT, total, 0);
    assert.ok(from <= index && index < to, `${index} is not between ${from} and ${to}`);
  }
});

test('a bar that somebody moved leads to other rows', () => {
  const top = 5_000_000 * ROW_PX;
  assert.notEqual(topAfter(top, scrolledAt(top, 30_000_000, HEIGHT) + 50, 30_000_000, HEIGHT), top);
});

test('no row is placed farther down than a browser can say', () => {
  for (const from of [0, 9_999, 10_000, 29_999_990]) {
    assert.ok(baseOf(from) <= from);
    assert.ok((from + 100 - baseOf(from)) * ROW_PX < MAX_PX);
  }
});
