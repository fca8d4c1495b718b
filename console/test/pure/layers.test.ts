// The allowed imports between folders, and the length of files.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';

/** Folders, and those that they may not import from. */
const FORBIDDEN: Record<string, string[]> = {
  kinds: ['server', 'store', 'parts', 'screens', 'draw'],
  draw: ['server', 'store', 'screens'],
  parts: ['server', 'store', 'screens'],
  server: ['store', 'parts', 'screens', 'draw'],
  store: ['screens'],
};
/** Types and tables of errors: they send nothing. */
const FREE = new Set(['../server/refused.ts']);
const MAX_LINES = 400;
const GENERATED = new Set(['generated.ts', 'generated-inputs.ts', 'about.lazy.ts']);

function sources(folder: string): Array<{ name: string; text: string }> {
  try {
    return readdirSync(`src/${folder}`).filter((it) => /\.tsx?$/.test(it)).map((it) => ({ name: it, text: readFileSync(`src/${folder}/${it}`, 'utf8') }));
  } catch {
    return [];
  }
}

test('layers import downwards', () => {
  for (const [folder, forbidden] of Object.entries(FORBIDDEN)) {
    for (const { name, text } of sources(folder)) {
      const paths = [...text.matchAll(/from '(\.\.\/[^']+)'/g)].map((it) => it[1] ?? '').filter((it) => !FREE.has(it));
      const wrong = paths.filter((it) => forbidden.some((one) => it.startsWith(`../${one}/`)));
      assert.deepEqual(wrong, [], `src/${folder}/${name}`);
    }
  }
});

test('files are short', () => {
  for (const folder of ['.', ...Object.keys(FORBIDDEN), 'screens', 'style']) {
    for (const { name, text } of sources(folder)) {
      if (!GENERATED.has(name)) assert.ok(text.split('\n').length <= MAX_LINES, `src/${folder}/${name} is too long`);
    }
  }
});

test('markup comes from JSX alone', () => {
  for (const folder of ['.', ...Object.keys(FORBIDDEN), 'screens']) {
    for (const { name, text } of sources(folder)) {
      assert.doesNotMatch(text, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/, `src/${folder}/${name}`);
    }
  }
});
