// A text area with numbers of lines and colours beneath the text. Tab leaves it, so that the keyboard is never caught.
import { useMemo, useRef } from 'preact/hooks';
import { tokensOf } from '../parts/tokens.ts';
import type { Token } from '../parts/tokens.ts';

export interface EditorProps {
  label: string;
  language: 'graphql' | 'json';
  value: string;
  onChange(text: string): void;
  /** Gives access to the field, to put words where the caret is. */
  field?: { current: HTMLTextAreaElement | null };
}

export function Editor({ label, language, value, onChange, field }: EditorProps) {
  const behind = useRef<HTMLPreElement>(null);
  const numbers = useRef<HTMLPreElement>(null);
  const lines = value.split('\n').length;
  const follow = (event: Event): void => {
    const area = event.currentTarget as HTMLTextAreaElement;
    behind.current?.scrollTo(area.scrollLeft, area.scrollTop);
    numbers.current?.scrollTo(0, area.scrollTop);
  };
  const keys = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.shiftKey || event.isComposing) return;
    const area = event.currentTarget as HTMLTextAreaElement;
    const line = area.value.slice(0, area.selectionStart).split('\n').at(-1) ?? '';
    const indent = /^\s*/.exec(line)?.[0] ?? '';
    const deeper = /[{([]\s*$/.test(line) ? '  ' : '';
    if (!indent && !deeper) return;
    event.preventDefault();
    insert(area, `\n${indent}${deeper}`);
  };
  return (
    <div class="editor">
      <pre class="editor-lines" aria-hidden="true" ref={numbers}>{Array.from({ length: lines }, (_, it) => it + 1).join('\n')}{'\n'}</pre>
      <div class="editor-text">
        <pre aria-hidden="true" ref={behind}><Coloured text={value} language={language} />{'\n'}</pre>
        <textarea
          aria-label={label} ref={(it) => { if (field) field.current = it; }} spellcheck={false} autocapitalize="off" autocomplete="off" wrap="off"
          value={value} onInput={(event) => onChange(event.currentTarget.value)} onScroll={follow} onKeyDown={keys}
        />
      </div>
    </div>
  );
}

/** Puts text where the caret is, so that the browser can undo it. */
export function insert(area: HTMLTextAreaElement, text: string): void {
  area.focus();
  if (!document.execCommand('insertText', false, text)) area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end');
}

export function Coloured({ text, language }: { text: string; language: 'graphql' | 'json' }) {
  const tokens = useMemo(() => tokensOf(text, language), [text, language]);
  return <>{tokens.map((it: Token, at) => (it.tone ? <span class={`tone-${it.tone}`} key={at}>{it.text}</span> : it.text))}</>;
}
