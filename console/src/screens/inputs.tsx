// One field of a form, as the type of its input wants it.
import { bareType, enumWords, kindOf, useEffect, useId, useRef, useState, valuesOf, words } from '../shared.ts';
import type { Row } from '../shared.ts';
import { inputOf, isOneOf } from '../store/writes.lazy.ts';
import { RefPicker } from './ref-picker.tsx';

export interface InputProps {
  name: string;
  type: string;
  label: string;
  about?: string | undefined;
  required?: boolean;
  value: unknown;
  /** The value that the object has. */
  before?: unknown;
  touched: boolean;
  canClear: boolean;
  /** True if several objects are changed, whose present values differ. */
  several: boolean;
  /** `undefined` leaves the field alone, `null` clears it. */
  onChange(value: unknown): void;
}

export function Input(props: InputProps) {
  const id = useId();
  const { label, about, touched, canClear, value, required, onChange } = props;
  const cleared = touched && value === null;
  // An undo draws the fields anew, because they keep the text that was typed.
  const [round, setRound] = useState(0);
  return (
    <div class={`field${touched ? ' touched' : ''}`}>
      <label for={id} title={about}>{label}{required && <span class="needed"> (needed)</span>}</label>
      <div class="control">
        {cleared ? <span class="quiet" id={id}>will be cleared</span> : <Control key={round} {...props} id={id} />}
        {touched && <button type="button" class="plain" onClick={() => { onChange(undefined); setRound(round + 1); }} aria-label={`Undo the change of ${label}`}>Undo</button>}
        {!touched && canClear && !required && (props.several || !isEmpty(value)) && <button type="button" class="plain" onClick={() => onChange(null)} aria-label={`Clear ${label}`}>Clear</button>}
      </div>
      {about && <p class="about">{about}</p>}
    </div>
  );
}

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '';
const NUMBERS = new Set(['Int', 'Float', 'Long', 'Revision']);
const TEXTS = new Set(['String', 'ID', 'URL', 'MAC', 'DateTime', 'Date']);
const EXAMPLES: Record<string, string> = { DateTime: '2026-01-31T12:00:00Z', Date: '2026-01-31', MAC: '02:00:00:00:00:01', URL: 'https://' };

interface ControlProps extends InputProps {
  id: string;
}

/** The kinds that a reference of this type can be to: the kind, and the member of the union that holds it. */
function targets(type: string): Array<{ kind: string; member: string | null }> {
  const bare = bareType(type);
  const own = /^(\w+)Ref$/.exec(bare)?.[1];
  if (own && kindOf(own)) return [{ kind: own, member: null }];
  if (!isOneOf(bare)) return [];
  const members = Object.entries(inputOf(bare));
  return members.flatMap(([member, it]) => {
    const kind = /^(\w+)Ref$/.exec(bareType(it))?.[1];
    return kind && kindOf(kind) ? [{ kind, member }] : [];
  });
}

function Control(props: ControlProps) {
  const { id, type, value, onChange, several, required } = props;
  const bare = bareType(type);
  const list = type.startsWith('[');
  const kept = several ? 'as they are' : 'not set';
  if (targets(type).length > 0) {
    return <RefPicker id={id} targets={targets(type)} list={list} value={value as Row | Row[] | null | undefined} onChange={onChange} placeholder={several ? kept : 'search…'} />;
  }
  if (valuesOf(bare).length > 0 && !list) return <Choice id={id} values={valuesOf(bare)} value={value as string | undefined} kept={kept} onChange={onChange} />;
  if (bare === 'Boolean' && !list) {
    return <Choice id={id} values={['true', 'false']} titles={{ true: 'yes', false: 'no' }} kept={kept} onChange={(it) => onChange(it === undefined ? undefined : it === 'true')} {...(typeof value === 'boolean' ? { value: String(value) } : {})} />;
  }
  if (NUMBERS.has(bare) && !list) {
    return <Numeric {...props} />;
  }
  if (TEXTS.has(bare) && !list) {
    return <input id={id} required={required} autocomplete="off" spellcheck={false} placeholder={several ? kept : EXAMPLES[bare] ?? ''} value={value === undefined || value === null ? '' : String(value)} onInput={(event) => onChange(event.currentTarget.value)} />;
  }
  if (bare === 'Labels' || bare === 'TextMap') return <Pairs {...props} />;
  if (TEXTS.has(bare) && list) return <TextList {...props} />;
  if (!list && Object.keys(inputOf(bare)).length > 0) return <Nested {...props} />;
  return <Json {...props} />;
}

/** A number. While it is typed it may be empty: the value of before must not come back into the field then. */
function Numeric({ id, type, value, onChange, several, required }: ControlProps) {
  const [empty, setEmpty] = useState(false);
  const change = (text: string): void => {
    setEmpty(text === '');
    onChange(text === '' ? undefined : Number(text));
  };
  return (
    <input
      id={id} type="number" step={bareType(type) === 'Float' ? 'any' : 1} required={required} placeholder={several ? 'as they are' : ''}
      value={empty || value === undefined || value === null ? '' : String(value)} onInput={(event) => change(event.currentTarget.value)} onBlur={() => setEmpty(false)}
    />
  );
}

interface ChoiceProps {
  id: string;
  values: string[];
  titles?: Record<string, string>;
  value?: string | undefined;
  kept: string;
  onChange(value: string | undefined): void;
}

function Choice({ id, values, titles, value, kept, onChange }: ChoiceProps) {
  return (
    <select id={id} value={value ?? ''} onChange={(event) => onChange(event.currentTarget.value || undefined)}>
      <option value="">{kept}</option>
      {values.map((it) => <option value={it} key={it}>{titles?.[it] ?? enumWords(it)}</option>)}
    </select>
  );
}

/** Labels, one a line. Only lines that changed are sent, and a line that went is removed. */
function Pairs({ id, value, before, onChange, several, touched }: ControlProps) {
  const [start] = useState(() => (several ? {} : ((before ?? {}) as Record<string, string>)));
  const [text, setText] = useState(() => textOfPairs(start, touched ? (value as Record<string, string | null>) : start, several));
  const change = (next: string): void => {
    setText(next);
    const lines = next.split('\n').map((it) => it.trim()).filter(Boolean);
    const pairs = Object.fromEntries(lines.map((it) => {
      const at = it.indexOf('=');
      // A key with `-` behind it is removed, as `underlay label` has it.
      if (at < 0 && it.endsWith('-')) return [it.slice(0, -1), null];
      return at < 0 ? [it, ''] : [it.slice(0, at), it.slice(at + 1)];
    }));
    const gone = Object.keys(start).filter((it) => !(it in pairs)).map((it) => [it, null] as const);
    const changed = Object.entries(pairs).filter(([key, it]) => start[key] !== it);
    const patch = Object.fromEntries([...changed, ...gone]);
    onChange(Object.keys(patch).length > 0 ? patch : undefined);
  };
  return <textarea id={id} rows={Math.max(2, text.split('\n').length)} spellcheck={false} placeholder={several ? 'key=value to set, key- to remove' : 'key=value, one a line'} value={text} onInput={(event) => change(event.currentTarget.value)} />;
}

/** The lines of labels with what was changed of them. Those that were removed are named where they were not shown. */
function textOfPairs(start: Record<string, string>, changes: Record<string, string | null>, several: boolean): string {
  const lines = Object.entries({ ...start, ...changes }).map(([key, it]) => (it === null ? several && `${key}-` : `${key}=${it}`));
  return lines.filter(Boolean).join('\n');
}

function TextList({ id, value, onChange }: ControlProps) {
  const [text, setText] = useState(() => ((value ?? []) as string[]).join('\n'));
  const change = (next: string): void => {
    setText(next);
    onChange(next.split('\n').map((it) => it.trim()).filter(Boolean));
  };
  return <textarea id={id} rows={2} spellcheck={false} placeholder="one a line" value={text} onInput={(event) => change(event.currentTarget.value)} />;
}

/** An object such as a placement: a field for each of its fields. */
function Nested({ id, type, value, onChange, touched }: ControlProps) {
  const bare = bareType(type);
  const own = (value ?? {}) as Row;
  const set = (name: string, part: unknown): void => {
    const { [name]: _, ...rest } = own;
    onChange(part === undefined ? rest : { ...rest, [name]: part });
  };
  return (
    <fieldset id={id} class="nested" aria-label={words(bare.replace(/Input$/, ''))}>
      {Object.entries(inputOf(bare)).map(([name, it]) => (
        <Input key={name} name={name} type={it} label={words(name)} value={own[name]} before={own[name]} touched={false} canClear={false} several={false} required={it.endsWith('!') && touched} onChange={(part) => set(name, part)} />
      ))}
    </fieldset>
  );
}

const NO_JSON = 'This is no JSON yet.';

/** A field without a form of its own is written as JSON. */
function Json({ id, value, onChange, several }: ControlProps) {
  const [text, setText] = useState(() => (isEmpty(value) ? '' : JSON.stringify(value, null, 1)));
  const [wrong, setWrong] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);
  // The form is not sent with what was there before the text broke.
  useEffect(() => box.current?.setCustomValidity(wrong ? NO_JSON : ''), [wrong]);
  const change = (next: string): void => {
    setText(next);
    try {
      onChange(next.trim() ? JSON.parse(next) : undefined);
      setWrong(false);
    } catch {
      setWrong(true);
    }
  };
  return (
    <>
      <textarea id={id} ref={box} class="code" rows={Math.min(10, Math.max(2, text.split('\n').length))} spellcheck={false} aria-invalid={wrong} placeholder={several ? 'JSON; as they are' : 'JSON'} value={text} onInput={(event) => change(event.currentTarget.value)} />
      {wrong && <span class="wrong" role="alert">{NO_JSON}</span>}
    </>
  );
}
