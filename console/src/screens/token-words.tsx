// What the dialogs about tokens have in common: they send once, show a token once, and say what to do with it.
import { useState } from 'preact/hooks';
import { asRefused, since, time } from '../shared.ts';
import type { Refused } from '../shared.ts';
import { Copy } from '../parts/copy.tsx';

/** Where an agent has its token. */
export const FILE = '/etc/underlay/token';
/** The command that keeps what is typed in a file for its owner alone. */
export const keepCommand = (file: string): string => `( umask 077; mkdir -p /etc/underlay; cat > ${file} )`;
export const runCommand = (): string => `underlay-agent run --server ${location.origin} --token-file ${FILE}`;

export const Ago = ({ at }: { at: string }) => <time dateTime={at} title={time(at)}>{since(at)}</time>;

/** Sends something once at a time. */
export function useSending(send: () => Promise<void>): { error: Refused | null; waiting: boolean; submit(event: Event): void } {
  const [error, setError] = useState<Refused | null>(null);
  const [waiting, setWaiting] = useState(false);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (waiting) return;
    setWaiting(true);
    setError(null);
    send().catch((thrown) => setError(asRefused(thrown))).finally(() => setWaiting(false));
  };
  return { error, waiting, submit };
}

/** A text of one line to copy, by its button or by hand. */
export function Line({ label, text, copy }: { label: string; text: string; copy: string }) {
  return (
    <div class="hardware-line">
      <code role="group" aria-label={label} tabIndex={0}>{text}</code>
      <Copy text={text}>{copy}</Copy>
    </div>
  );
}
