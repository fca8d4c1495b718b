// Short messages that go by themselves.
import { signal } from '@preact/signals';

interface Toast {
  id: number;
  text: string;
  action?: { title: string; run(): void };
}

const toasts = signal<Toast[]>([]);
const SHOWN_MS = 8_000;
let last = 0;

export function say(text: string, action?: Toast['action']): void {
  last += 1;
  const id = last;
  toasts.value = [...toasts.value, { id, text, ...(action ? { action } : {}) }];
  setTimeout(() => { toasts.value = toasts.value.filter((it) => it.id !== id); }, SHOWN_MS);
}

export function Toasts() {
  return (
    <div class="toasts" role="status">
      {toasts.value.map((it) => (
        <div class="toast" key={it.id}>
          <span>{it.text}</span>
          {it.action && <button type="button" onClick={it.action.run}>{it.action.title}</button>}
        </div>
      ))}
    </div>
  );
}
