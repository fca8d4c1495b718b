// A modal dialog of the platform: focus stays inside, Escape closes, focus returns.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

export interface DialogProps {
  title: string;
  class?: string;
  onClose(): void;
  children: ComponentChildren;
}

export function Dialog({ title, onClose, children, class: name }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  /** True if the pointer went down beside the dialog: text that is selected out of a field ends there, too. */
  const beside = useRef(false);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    box.current?.showModal();
    return () => before?.focus?.();
  }, []);
  return (
    <dialog
      ref={box} class={name} aria-label={title}
      // The browser tells late that a dialog was closed. Once it is gone, another one may be open, which must stay.
      onClose={() => { if (box.current) onClose(); }}
      onPointerDown={(event) => { beside.current = event.target === box.current; }}
      onClick={(event) => { if (beside.current && event.target === box.current) box.current?.close(); }}
    >
      {children}
    </dialog>
  );
}
