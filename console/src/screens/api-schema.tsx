// The schema of this server, read by introspection: search a type, walk from field to type, put a field where the caret is.
import { useState } from 'preact/hooks';
import { Failure, setParams, url, useQuery } from '../shared.ts';

const TYPE = 'fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }';
const TYPES = '{ __schema { types { name kind description } } }';
const ONE = `query Type($name: String!) { __type(name: $name) { name kind description
  fields(includeDeprecated: true) { name description isDeprecated deprecationReason args { name description defaultValue type { ...T } } type { ...T } }
  inputFields { name description defaultValue type { ...T } } enumValues { name description } possibleTypes { name } interfaces { name }
} } ${TYPE}`;

interface TypeRef { kind: string; name: string | null; ofType?: TypeRef | null }
interface Value { name: string; description: string | null; defaultValue?: string | null; type: TypeRef }
interface Field extends Value { args?: Value[]; isDeprecated?: boolean; deprecationReason?: string | null }
interface Type {
  name: string; kind: string; description: string | null; fields: Field[] | null; inputFields: Value[] | null;
  enumValues: Array<{ name: string; description: string | null }> | null; possibleTypes: Array<{ name: string }> | null; interfaces: Array<{ name: string }> | null;
}

/** A type in the schema's notation. */
function notation(it: TypeRef | null | undefined): string {
  if (!it) return '';
  if (it.kind === 'NON_NULL') return `${notation(it.ofType)}!`;
  return it.kind === 'LIST' ? `[${notation(it.ofType)}]` : it.name ?? '';
}

const FIRST = ['Query', 'Mutation', 'Subscription'];
const MOST = 60;

export function Schema({ onInsert }: { onInsert(text: string): void }) {
  const name = url.value.searchParams.get('type');
  return name ? <OneType name={name} onInsert={onInsert} /> : <Types />;
}

const show = (name: string | null): void => setParams({ type: name });
const first = (text: string | null): string => (text ?? '').split('\n')[0] ?? '';

function Types() {
  const [text, setText] = useState('');
  const query = useQuery<{ __schema: { types: Array<{ name: string; kind: string; description: string | null }> } }>(TYPES, {}, []);
  if (query.error.value) return <Failure error={query.error.value} again={() => void query.read()} />;
  const all = (query.data.value?.__schema.types ?? []).filter((it) => !it.name.startsWith('__'));
  const asked = text.trim().toLowerCase();
  const fit = asked
    ? all.filter((it) => it.name.toLowerCase().includes(asked)).sort((a, b) => a.name.length - b.name.length)
    : [...FIRST.flatMap((it) => all.find((one) => one.name === it) ?? []), ...all.filter((it) => it.kind === 'OBJECT' && !FIRST.includes(it.name) && !/(Connection|Edge|Payload)$/.test(it.name))];
  return (
    <div class="schema">
      <input type="search" aria-label="Types whose name contains" placeholder="Search a type…" value={text} onInput={(event) => setText(event.currentTarget.value)} />
      {query.waiting.value && !query.data.value && <p class="waiting">Reading…</p>}
      <ul>
        {fit.slice(0, MOST).map((it) => <li key={it.name}><button type="button" class="schema-type" onClick={() => show(it.name)}><b>{it.name}</b><span class="quiet">{first(it.description)}</span></button></li>)}
      </ul>
      {fit.length > MOST && <p class="quiet">and {fit.length - MOST} more: search above</p>}
    </div>
  );
}

function OneType({ name, onInsert }: { name: string; onInsert(text: string): void }) {
  const [text, setText] = useState('');
  const query = useQuery<{ __type: Type | null }>(ONE, { name }, []);
  const it = query.data.value?.__type;
  const fields = (it?.fields ?? it?.inputFields ?? []).filter((one) => one.name.toLowerCase().includes(text.trim().toLowerCase()));
  return (
    <div class="schema">
      <p><button type="button" onClick={() => show(null)}>← All types</button></p>
      {query.error.value && <Failure error={query.error.value} again={() => void query.read()} />}
      {query.data.value && !it && <p class="empty">There is no type {name}.</p>}
      {it && (
        <>
          <h3>{it.name}</h3>
          {it.description && <p class="schema-about">{it.description}</p>}
          {fields.length + text.length > 12 && <input type="search" aria-label={`Fields of ${it.name} whose name contains`} placeholder="Search a field…" value={text} onInput={(event) => setText(event.currentTarget.value)} />}
          <ul>
            {fields.map((one) => <FieldLine key={one.name} field={one} onInsert={onInsert} />)}
            {(it.enumValues ?? []).map((one) => <li key={one.name}><button type="button" class="schema-name" onClick={() => onInsert(one.name)}>{one.name}</button><p class="quiet">{one.description}</p></li>)}
          </ul>
          {it.possibleTypes && it.possibleTypes.length > 0 && <p>One of {it.possibleTypes.map((one) => <TypeLink key={one.name} name={one.name} text={one.name} />)}</p>}
        </>
      )}
    </div>
  );
}

function FieldLine({ field, onInsert }: { field: Field; onInsert(text: string): void }) {
  return (
    <li>
      <span class="schema-line"><button type="button" class="schema-name" title="Put it where the caret is" onClick={() => onInsert(field.name)}>{field.name}</button><TypeOf type={field.type} /></span>
      {field.description && <p class="quiet">{field.description}</p>}
      {field.isDeprecated && <p class="bad">Deprecated: {field.deprecationReason}</p>}
      {(field.args?.length ?? 0) > 0 && (
        <details>
          <summary>{field.args?.length} {field.args?.length === 1 ? 'argument' : 'arguments'}</summary>
          <ul>{field.args?.map((it) => <li key={it.name}><span class="schema-line"><code>{it.name}</code><TypeOf type={it.type} />{it.defaultValue ? <code>= {it.defaultValue}</code> : null}</span><p class="quiet">{it.description}</p></li>)}</ul>
        </details>
      )}
    </li>
  );
}

function TypeOf({ type }: { type: TypeRef }) {
  const text = notation(type);
  return <TypeLink name={text.replace(/[[\]!]/g, '')} text={text} />;
}

function TypeLink({ name, text }: { name: string; text: string }) {
  return <button type="button" class="schema-link" aria-label={`Type ${text}`} onClick={() => show(name)}>{text}</button>;
}
