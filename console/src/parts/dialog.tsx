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
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    box.current?.showModal();
    return () => before?.focus?.();
  }, []);
  return (
    <dialog
      ref={box} class={name} aria-label={title} onClose={onClose}
      onClick={(event) => { if (event.target === box.current) box.current?.close(); }}
    >
      {children}
    </dialog>
  );
}
