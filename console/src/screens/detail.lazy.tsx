// One object: its fields, what it contains, its changes, and its manifest. The tab is in the address.
import { useEffect } from 'preact/hooks';
import { number } from '../kinds/format.ts';
import { fieldOf, kindOf, titleOf, words } from '../kinds/registry.ts';
import type { Field, Kind, Row } from '../kinds/shape.ts';
import { useCommands } from '../keys.ts';
import { Act } from '../parts/act.tsx';
import { Failure } from '../parts/failure.tsx';
import { lazy } from '../parts/lazy.tsx';
import { say } from '../parts/toast.tsx';
import { EnumValue } from '../parts/value.tsx';
import { go, listPath, pathOf, url, viewsOf } from '../routes.ts';
import { intoBasket } from '../store/basket.ts';
import { useResolved } from '../store/resolve.ts';
import { neighbours } from '../store/neighbours.ts';
import { openForm, remember } from '../store/overlays.ts';
import { useQuery } from '../store/query.ts';
import { deletion, manifestOf, propose, yaml } from '../store/writes.lazy.ts';
import type { Item } from '../store/writes.lazy.ts';
import { refusal } from '../store/viewer.ts';
import { trail } from '../store/trail.ts';
import { Beneath, PLACES } from './beneath.tsx';
import { Gone } from './gone.tsx';
import { List } from './list.tsx';
import { Overview, useObject } from './overview.tsx';
import type { Loaded } from './overview.tsx';

export { Gone };

const ChangesOf = lazy<{ id: string }>(async () => (await import('./changes.lazy.tsx')).ChangesOf);

/** The fields that lead to what contains an object, from the inside out. */
const CONTAINERS = ['parent', 'device', 'rack', 'cluster', 'circuit', 'location', 'site', 'region', 'provider', 'host'];

export function DetailScreen({ kind, rest }: { kind: Kind; rest: string[] }) {
  const found = useResolved(kind, rest);
  if (found.error) return <Failure error={found.error} />;
  if (found.waiting) return <p class="waiting">Reading…</p>;
  if (!found.id) return <Gone kind={kind} rest={rest} />;
  return <Detail kind={kind} id={found.id} key={found.id} />;
}

function containerOf(kind: Kind, row: Row): { kind: string; row: Row } | undefined {
  for (const name of CONTAINERS) {
    const field = fieldOf(kind, name);
    const value = row[name] as Row | null | undefined;
    if (field?.is === 'one' && value?.id) return { kind: field.of, row: value };
  }
  const placed = (row.placement as Row | null | undefined)?.rack as Row | undefined;
  return placed && { kind: 'Rack', row: placed };
}

function Detail({ kind, id }: { kind: Kind; id: string }) {
  const query = useObject(kind, id);
  const row = query.data.value?.node;
  const container = row && containerOf(kind, row);
  useEffect(() => {
    if (!row) return undefined;
    const own = { name: row.name, path: pathOf(kind.name, row) };
    trail.value = container ? [{ name: String(container.row.name), path: pathOf(container.kind, container.row) }, own] : [own];
    remember({ ...own, kind: kind.name });
    document.title = `${row.name} · ${titleOf(kind.name)} · Underlay`;
    return () => { trail.value = []; };
  }, [row?.name, container?.row.name]);
  const beside = (by: number): void => {
    const from = neighbours.value;
    const next = from?.rows.at(from.index + by);
    if (!from || !next) return say('There is no list around this object. Open it from a list.');
    neighbours.value = { rows: from.rows, index: from.index + by };
    go(pathOf(from.rows.source.kind.name, next), 'replace');
  };
  const refused = refusal('apply');
  const edit = (): void => openForm({ kind, objects: [id] });
  const remove = (): void => { if (row) propose(`Delete ${row.name}`, [deletion(kind.name, id, row.name, false)]); };
  useCommands({
    up: () => { if (row && container) go(pathOf(container.kind, container.row)); else if (row) go(listPath(kind)); },
    ...viewCommands(kind, row), 'back-one': () => beside(-1), 'on-one': () => beside(1), ...(kind.change && kind.apply && !refused ? { edit } : {}), ...(kind.remove && !refused ? { delete: remove } : {}),
    impact: () => intoBasket([id]),
  });
  if (query.error.value && !row) return <Failure error={query.error.value} again={() => void query.read()} />;
  if (!query.data.value) return <p class="waiting">Reading…</p>;
  if (!row) return <Gone kind={kind} rest={[id]} />;
  return (
    <section class="detail" aria-label={row.name}>
      <header class="detail-head">
        <h1><bdi>{row.name}</bdi></h1>
        <span class="quiet">{titleOf(kind.name)}</span>
        {typeof row.status === 'string' && <EnumValue field="status" value={row.status} />}
        <span class="grow" />
        {viewsOf(kind, row).map((it) => <a key={it.path} class="button" href={it.path}>{it.title}</a>)}
        <button type="button" class="plain" onClick={() => copy(id)}>Copy id</button>
        <button type="button" class="plain" title="What if this fails? Adds it to the impact basket (i)" onClick={() => intoBasket([id])}>What if it fails</button>
        {kind.change && kind.apply && <Act refusal={refused} onClick={edit}>Edit</Act>}
        {kind.remove && <Act refusal={refused} onClick={remove}>Delete…</Act>}
      </header>
      <Tabs kind={kind} row={row} />
    </section>
  );
}

/** Commands for the other screens of an object, by the same names as the screens have. */
function viewCommands(kind: Kind, row: Loaded | null | undefined): Record<string, () => void> {
  const views = row ? viewsOf(kind, row) : [];
  return Object.fromEntries(views.map((it) => [it.screen === 'elevations' ? 'elevation' : it.screen, () => go(it.path)]));
}

function copy(text: string): void {
  navigator.clipboard?.writeText(text).then(() => say('Copied.'), () => say('The browser does not allow copying.'));
}

function Tabs({ kind, row }: { kind: Kind; row: Loaded }) {
  const lists = kind.fields.filter((it) => it.is === 'many');
  const document = `query Contents($id: ID!) { node(id: $id) { ... on ${kind.name} { id ${lists.map((it) => `${it.name}(first: 0) { totalCount }`).join(' ')} } } }`;
  const counts = useQuery<{ node: Record<string, { totalCount: number } | null> | null }>(document, { id: row.id }, [...new Set(lists.map((it) => it.of))]);
  const tab = url.value.searchParams.get('tab') ?? '';
  const countOf = (it: Field): number => counts.data.value?.node?.[it.name]?.totalCount ?? 0;
  const link = (name: string, title: string, count?: number) => (
    <li><a href={name ? `?tab=${name}` : url.value.pathname} aria-current={tab === name ? 'page' : undefined} class={count === 0 ? 'none' : undefined}>
      {title}{count !== undefined && <span class="count">{number(count)}</span>}
    </a></li>
  );
  const list = lists.find((it) => it.name === tab);
  const of = list && kindOf(list.of);
  return (
    <>
      <nav class="tabs" aria-label={`Parts of ${row.name}`}>
        <ul>
          {link('', 'Overview')}
          {[...lists].sort((a, b) => Number(countOf(b) > 0) - Number(countOf(a) > 0)).map((it) => link(it.name, words(it.name), countOf(it)))}
          {link('changes', 'Changes')}
          {link('manifest', 'Manifest')}
        </ul>
      </nav>
      {tab === '' && <div class="page">{PLACES.has(kind.name) && <Beneath id={row.id} />}<Overview kind={kind} id={row.id} /></div>}
      {list && of && <List kind={of} title={`${words(list.name)} of ${row.name}`} of={{ kind: kind.name, id: row.id, field: list.name }} key={list.name} />}
      {tab === 'changes' && <div class="page"><ChangesOf id={row.id} /></div>}
      {tab === 'manifest' && <Manifest kind={kind} id={row.id} />}
    </>
  );
}

function Manifest({ kind, id }: { kind: Kind; id: string }) {
  const query = useQuery<{ node: { item: Item } | null }>(`query Item($id: ID!) { node(id: $id) { ... on ${kind.name} { item } } }`, { id }, [kind.name]);
  const item = query.data.value?.node?.item;
  if (query.error.value) return <Failure error={query.error.value} again={() => void query.read()} />;
  if (!item) return <p class="waiting">Reading…</p>;
  const manifest = manifestOf(kind, item);
  const text = yaml(manifest);
  return (
    <div class="page">
      <p class="head">
        <button type="button" onClick={() => copy(text)}>Copy as YAML</button>
        <button type="button" onClick={() => copy(JSON.stringify(manifest, null, 2))}>Copy as JSON</button>
        <span class="quiet">For <code>underlay apply -f</code>. Fields with their default value are left out.</span>
      </p>
      <pre class="json" tabIndex={0} aria-label="Manifest">{text}</pre>
    </div>
  );
}
