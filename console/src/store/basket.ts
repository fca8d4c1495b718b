// The basket of the impact screen: objects that are thought to fail together. The address of that screen is what counts;
// the tab keeps the same ids, so that other screens can add to them.
import { signal } from '@preact/signals';
import { number } from '../kinds/format.ts';
import { say } from '../parts/toast.tsx';
import { go, setParams, url } from '../routes.ts';

const KEPT = 'underlay-basket';
/** The API takes no more at once. */
export const MAX_IN_BASKET = 1_000;

export const basket = signal<string[]>((sessionStorage.getItem(KEPT) ?? '').split(' ').filter(Boolean));

export function setBasket(ids: string[]): void {
  const next = [...new Set(ids)].slice(0, MAX_IN_BASKET);
  if (next.join() === basket.value.join()) return;
  basket.value = next;
  sessionStorage.setItem(KEPT, next.join(' '));
}

/** The address of the impact of some objects. */
export function impactPath(ids: string[]): string {
  return ids.length > 0 ? `/impact?${ids.map((it) => `of=${encodeURIComponent(it)}`).join('&')}` : '/impact';
}

/** Adds objects from any screen, and says so. */
export function intoBasket(ids: string[]): void {
  if (ids.length === 0) return;
  const before = basket.value.length;
  setBasket([...basket.value, ...ids]);
  // A screen that shows the impact of the basket follows it.
  if (url.value.searchParams.has('of')) setParams({ of: basket.value });
  const now = basket.value.length;
  const without = new Set([...basket.value, ...ids]).size - now;
  const held = `It holds ${number(now)}${without > 0 ? `, and not more: ${number(without)} were left out` : ''}.`;
  say(`${now === before && without === 0 ? 'In the impact basket already.' : now === before ? 'The impact basket is full.' : 'Added to the impact basket.'} ${held}`, {
    title: 'Show the impact', run: () => go(impactPath(basket.value)),
  });
}
