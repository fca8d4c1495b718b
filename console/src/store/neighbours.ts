// The list that an object was opened from, so that `[` and `]` go to the ones before and after it.
import { signal } from '@preact/signals';
import type { Rows } from './rows.ts';

export const neighbours = signal<{ rows: Rows; index: number } | null>(null);
