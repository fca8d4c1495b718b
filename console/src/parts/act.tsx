// A button for something that the caller may not be allowed to do: it then stays reachable, and says why.
import type { ComponentChildren } from 'preact';

export interface ActProps {
  /** The reason why it is off; undefined if it works. */
  refusal: string | undefined;
  onClick(): void;
  class?: string;
  /** The name of the button if its text alone does not distinguish it from others. */
  label?: string;
  children: ComponentChildren;
}

export function Act({ refusal, onClick, children, label, class: name }: ActProps) {
  const called = label && (refusal === undefined ? label : `${label} (${refusal})`);
  return (
    <button type="button" class={name} aria-label={called} aria-disabled={refusal !== undefined} title={refusal} onClick={() => { if (refusal === undefined) onClick(); }}>
      {children}{refusal !== undefined && <span class="hidden"> ({refusal})</span>}
    </button>
  );
}
