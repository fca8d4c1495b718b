// A list that may be long: a hundred of it at first, and a button that shows the next.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { number } from '../kinds/format.ts';

const AT_ONCE = 100;

export function More<T>({ of, each }: { of: readonly T[]; each(it: T, at: number): ComponentChildren }) {
  const [most, setMost] = useState(AT_ONCE);
  const left = of.length - most;
  return (
    <>
      <ul class="objects">{of.slice(0, most).map(each)}</ul>
      {left > 0 && <p><button type="button" onClick={() => setMost(most + AT_ONCE)}>Show {number(Math.min(AT_ONCE, left))} more of {number(of.length)}</button></p>}
    </>
  );
}
