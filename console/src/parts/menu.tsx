// A button with a popover of the platform: light dismiss, Escape and focus return come from the browser.
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

export interface MenuProps {
  label: ComponentChildren;
  /** The purpose of the popover, for screen readers. */
  title: string;
  class?: string;
  children: (close: () => void) => ComponentChildren;
  /** The element's own handle to open it by a key. */
  opener?: { open?: () => void };
}

export function Menu({ label, title, children, opener, class: name }: MenuProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const place = (): void => {
    if (!box.current || !button.current) return;
    const at = button.current.getBoundingClientRect();
    const room = document.documentElement.clientWidth - box.current.offsetWidth - 8;
    box.current.style.left = `${Math.max(8, Math.min(at.left, room))}px`;
    box.current.style.top = `${at.bottom + 4}px`;
    box.current.style.maxHeight = `${Math.max(120, document.documentElement.clientHeight - at.bottom - 16)}px`;
    // Its content may have to be loaded first.
    if (!box.current.contains(document.activeElement)) (box.current.querySelector('input, select, button, a') as HTMLElement | null)?.focus();
  };
  useEffect(() => {
    if (!open || !box.current) return undefined;
    const observer = new ResizeObserver(place);
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [open]);
  if (opener) opener.open = () => box.current?.showPopover();
  return (
    <>
      <button type="button" class={name} ref={button} popovertarget={id} aria-haspopup="dialog" title={title}>{label}</button>
      <div id={id} ref={box} popover="auto" class="menu" role="dialog" aria-label={title} onToggle={(event) => setOpen(event.newState === 'open')}>
        {open && children(() => { box.current?.hidePopover(); button.current?.focus(); })}
      </div>
    </>
  );
}
