// A field that finds one thing by what is typed: a combobox with a list beneath, as the ARIA pattern has it.
import { useEffect, useId, useRef, useState } from 'preact/hooks';

export interface Choice {
  id: string;
  title: string;
  detail: string;
}

export interface PickerProps {
  label: string;
  placeholder?: string;
  /** Finds choices for a text. An aborted search is ignored. */
  find(text: string, abort: AbortSignal): Promise<Choice[]>;
  onPick(choice: Choice): void;
}

const WAIT_MS = 120;

export function Picker({ label, placeholder, find, onPick }: PickerProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [choices, setChoices] = useState<Choice[]>([]);
  const [at, setAt] = useState(0);
  const [open, setOpen] = useState(false);
  const [note, setNote] = useState('');
  useEffect(() => {
    const asked = text.trim();
    if (!asked) { setChoices([]); setNote(''); return undefined; }
    const abort = new AbortController();
    const timer = setTimeout(() => {
      find(asked, abort.signal).then(
        (it) => { if (!abort.signal.aborted) { setChoices(it); setAt(0); setNote(it.length === 0 ? 'Nothing is found.' : `${it.length} found`); } },
        (error: Error) => { if (!abort.signal.aborted) { setChoices([]); setNote(error.message); } },
      );
    }, WAIT_MS);
    return () => { clearTimeout(timer); abort.abort(); };
  }, [text]);
  const pick = (choice: Choice | undefined): void => {
    if (!choice) return;
    setText('');
    setOpen(false);
    setChoices([]);
    onPick(choice);
    field.current?.focus();
  };
  const keys = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setOpen(true);
      setAt(Math.max(0, Math.min(choices.length - 1, at + step)));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      pick(choices[at]);
    } else if (event.key === 'Escape' && open && text) {
      event.stopPropagation();
      event.preventDefault();
      setOpen(false);
    }
  };
  const shown = open && text.trim() !== '';
  return (
    <div class="finder">
      <label for={`${id}-field`}>{label}</label>
      <input
        id={`${id}-field`} ref={field} type="text" role="combobox" aria-expanded={shown && choices.length > 0} aria-controls={`${id}-list`} aria-autocomplete="list"
        aria-activedescendant={shown && choices[at] ? `${id}-${at}` : undefined} autocomplete="off" spellcheck={false} placeholder={placeholder}
        value={text} maxLength={253} onKeyDown={keys} onBlur={() => setOpen(false)} onFocus={() => setOpen(true)}
        onInput={(event) => { setText(event.currentTarget.value); setOpen(true); }}
      />
      <div class="finder-list" hidden={!shown}>
        <ul id={`${id}-list`} role="listbox" aria-label={label}>
          {choices.map((it, index) => (
            <li
              key={it.id} id={`${id}-${index}`} role="option" aria-selected={index === at}
              onMouseDown={(event) => event.preventDefault()} onClick={() => pick(it)} onMouseMove={() => setAt(index)}
            >
              <bdi>{it.title}</bdi><span class="detail">{it.detail}</span>
            </li>
          ))}
        </ul>
        {choices.length === 0 && <p class="quiet">{note || 'Searching…'}</p>}
      </div>
      <span class="hidden" role="status">{shown ? note : ''}</span>
    </div>
  );
}
