// Edits one object, changes several alike, or creates one. Only fields that were touched are sent, and they go through
// the review.
import {
  about, asRefused, currentRoute, Dialog, Failure, form, go, idOrPath, isolated, keepForm, keptForm, keyOf, number, openForm, pluralOf, say, titleOf, url, useEffect,
  useRef, useState, words,
} from '../shared.ts';
import type { Begun, Form, Kind, Refused, Row } from '../shared.ts';
import { inputsOf, presentOf, propose, withVersion } from '../store/writes.lazy.ts';
import type { WriteStep } from '../store/writes.lazy.ts';
import { Input } from './inputs.tsx';

export function FormDialog() {
  const it = form.value;
  return it && <Open of={it} key={it.objects.join()} />;
}

const KEEP_MS = 200;

/** Keeps what is typed for as long as the form is open, also when the page goes away from under it. */
function useKept(of: Form, draft: Row, present: Begun[] | null): void {
  const latest = useRef<Form | null>(null);
  latest.current = Object.keys(draft).length > 0 && present ? { ...of, draft, present } : null;
  const keep = (): void => keepForm(form.peek() === of ? latest.current : null);
  useEffect(() => {
    const timer = setTimeout(keep, KEEP_MS);
    return () => clearTimeout(timer);
  }, [draft, present]);
  useEffect(() => {
    window.addEventListener('pagehide', keep);
    return () => { window.removeEventListener('pagehide', keep); keep(); };
  }, []);
}

function Open({ of }: { of: Form }) {
  const [from] = useState(() => {
    const kept = keptForm();
    return of.draft || kept?.kind !== of.kind || kept.objects.join() !== of.objects.join() ? of : kept;
  });
  const [present, setPresent] = useState<Begun[] | null>(from.present ?? (of.objects.length === 0 ? [] : null));
  const [count, setCount] = useState(0);
  const [error, setError] = useState<Refused | null>(null);
  const [draft, setDraft] = useState<Row>(from.draft ?? of.start ?? {});
  useEffect(() => {
    if (!present) presentOf(of.kind.name, of.objects, false, setCount).then((it) => setPresent([...it.values()]), (failure) => setError(asRefused(failure)));
  }, []);
  useKept(of, draft, present);
  const loaded = present !== null;
  useEffect(() => { if (loaded) document.querySelector<HTMLElement>('.form-fields input, .form-fields select')?.focus(); }, [loaded]);
  const close = (): void => { form.value = null; };
  const title = titleFor(of, present);
  const again = { title: 'Back to it', run: () => openForm({ ...of, draft, ...(present ? { present } : {}) }) };
  const leave = (): void => {
    // The dialog closes, too, when the form was sent.
    if (form.value !== of) return;
    close();
    if (Object.keys(draft).length > 0 && draft !== of.start) say(`“${isolated(title)}” was closed before it was reviewed.`, again);
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    close();
    if (present?.length === 1 && present[0]) stayWith(of.kind, present[0], draft);
    if (!propose(title, stepsOf(of.kind, present ?? [], draft))) say(`“${isolated(title)}” waits until then.`, again);
  };
  return (
    <Dialog title={title} class="form" onClose={leave}>
      <form onSubmit={submit}>
        <header><h2><bdi>{title}</bdi></h2><button type="button" class="plain" onClick={leave} aria-label="Close">✕</button></header>
        {from.draft && <p class="kept" role="status">What you typed before is here again.</p>}
        {error && <Failure error={error} />}
        {present && <Fields of={of} present={present} draft={draft} onChange={setDraft} />}
        {!present && !error && <p class="waiting">{of.objects.length > 1 ? `Reading ${number(count)} of ${number(of.objects.length)}…` : 'Reading…'}</p>}
        <footer>
          <span class="quiet">{touched(draft)}</span>
          <span class="grow" />
          <button type="button" onClick={leave}>Cancel</button>
          <button type="submit" class="main" disabled={!present || Object.keys(draft).length === 0}>Review the changes</button>
        </footer>
      </form>
    </Dialog>
  );
}

/** An object that is to be renamed or moved is at an address of its id: one goes back there after the write. */
function stayWith(kind: Kind, it: Begun, draft: Row): void {
  const at = currentRoute.value;
  const isHere = at.kind?.name === kind.name && at.rest.at(-1) === it.name;
  if (!isHere || !['name', ...keyOf(kind.name) ?? []].some((field) => Object.hasOwn(draft, field))) return;
  const view = at.screen === 'detail' ? '' : `/${url.value.pathname.split('/').at(-1)}`;
  go(`${idOrPath(kind.name, it.id)}${view}${url.value.search}`, 'replace');
}

function titleFor(of: Form, present: Begun[] | null): string {
  if (of.objects.length === 0) return `Create a ${titleOf(of.kind.name).toLowerCase()}`;
  if (of.objects.length > 1) return `Change ${number(of.objects.length)} ${pluralOf(of.kind.name).toLowerCase()}`;
  return `Edit ${present?.[0]?.name ?? '…'}`;
}

function touched(draft: Row): string {
  const names = Object.keys(draft).map((it) => words(it).toLowerCase());
  return names.length === 0 ? 'Nothing is changed yet.' : `Changed: ${names.join(', ')}.`;
}

/** The values of a draft that are sent: empty ones are cleared, or left out of a new object. */
function sent(draft: Row, isNew: boolean): Row {
  return Object.fromEntries(Object.entries(draft).filter(([, it]) => !isNew || (it !== null && it !== '')));
}

function stepsOf(kind: Kind, present: Begun[], draft: Row): WriteStep[] {
  if (present.length === 0) return [{ kind: kind.name, name: String(draft.name ?? ''), item: { [kind.one]: { ifVersion: 0, ...sent(draft, true) } } }];
  const item = sent(draft, false);
  return present.map((it) => withVersion({
    kind: kind.name, id: it.id, name: it.name, item: { [kind.one]: { id: it.id, ...item } },
    // Of many objects, only what is edited is kept.
    ...(it.item && { base: present.length === 1 ? it.item : Object.fromEntries(Object.keys(item).map((name) => [name, it.item?.[name]])) }),
  }, it.version));
}

/** Fields that make no sense for several objects at once. */
const SINGLE = new Set(['name', 'serial', 'assetTag', 'mac', 'externalRefs', 'circuitId']);
const LAST = ['labels', 'attributes', 'externalRefs', 'tenant', 'description'];
const rank = (name: string): number => LAST.indexOf(name);

function Fields({ of, present, draft, onChange }: { of: Form; present: Begun[]; draft: Row; onChange(next: Row): void }) {
  const isNew = present.length === 0;
  const item = present.length === 1 ? present[0]?.item : undefined;
  const fields = inputsOf(of.kind)
    .filter((it) => it.type !== 'SecretInput' && (isNew || it.patch) && (present.length < 2 || !SINGLE.has(it.name)))
    .sort((a, b) => Number(isNew && b.needed) - Number(isNew && a.needed) || rank(a.name) - rank(b.name));
  const set = (name: string, value: unknown): void => {
    const next = { ...draft };
    if (value === undefined) delete next[name];
    else next[name] = value;
    onChange(next);
  };
  return (
    <div class="form-fields">
      {fields.map((it) => (
        <Input
          key={it.name} name={it.name} type={it.type} label={words(it.name)} about={about(`${of.kind.name}Input.${it.name}`)} required={isNew && it.needed}
          value={Object.hasOwn(draft, it.name) ? draft[it.name] : item?.[it.name]} before={item?.[it.name]} touched={Object.hasOwn(draft, it.name)} canClear={!isNew && !it.needed}
          several={present.length > 1} onChange={(value) => set(it.name, value)}
        />
      ))}
    </div>
  );
}

