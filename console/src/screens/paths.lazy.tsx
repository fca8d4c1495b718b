// Paths between two objects: the shortest, the disjoint ones, or the two most diverse with what they share. A click on a
// hop looks for paths around it.
import { useState } from 'preact/hooks';
import { enumWords, Failure, number, pathOf, setParams, titleOf, url, useQuery } from '../shared.ts';
import type { Row } from '../kinds/shape.ts';
import { PathsDrawing } from '../draw/paths.tsx';
import { finder } from '../store/find.ts';
import { Chosen } from './chosen.tsx';
import { DIVERSITY, drawnOf, PATHS } from './path-answer.ts';
import type { Path, Risk } from './path-answer.ts';
import { PathList } from './path-list.tsx';
import { Risks } from './path-risks.tsx';

const find = finder(['Device', 'Port', 'VirtualMachine', 'Cluster', 'Site', 'Circuit', 'Provider', 'ProviderNetwork']);
const LOOKS = ['shortest', 'disjoint', 'diverse'] as const;
const LOOK_WORDS = { shortest: 'Shortest', disjoint: 'All disjoint ones', diverse: 'Two, and what they share' };
const WEIGHTS = { HOPS: 'Hops', LENGTH: 'Length', LATENCY: 'Latency' };
const AVOIDED = 'query Avoided($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on Object { name } } }';

interface Answer { found: { revision: number; paths: Path[]; disjoint?: boolean; risks?: Risk[] } | null }

export default function PathsScreen() {
  const params = url.value.searchParams;
  const [from, to] = [params.get('from'), params.get('to')];
  const set = (name: string) => (id: string | null): void => setParams({ [name]: id });
  return (
    <section class="page wide" aria-label="Paths">
      <header class="page-head">
        <h1>Paths</h1>
        <p class="quiet">How traffic can get from one object to another, and around what.</p>
      </header>
      <div class="narrow">
        <Chosen label="From" placeholder="A device, site, circuit…" id={from} find={find} remove="Choose another start" onChange={set('from')} />
        <button type="button" disabled={!from && !to} aria-label="Exchange start and end" title="Exchange start and end" onClick={() => setParams({ from: to, to: from })}>⇄</button>
        <Chosen label="To" placeholder="A device, site, circuit…" id={to} find={find} remove="Choose another end" onChange={set('to')} />
        <Options />
      </div>
      <Avoided ids={params.getAll('avoid')} />
      {from && to ? <Found from={from} to={to} /> : <p class="empty">Choose where the paths begin and end. A site, a cluster or a provider stands for the devices in it.</p>}
    </section>
  );
}

function lookOf(params: URLSearchParams): typeof LOOKS[number] {
  return LOOKS.find((it) => it === params.get('look')) ?? 'shortest';
}

function Options() {
  const params = url.value.searchParams;
  const look = lookOf(params);
  const check = (name: string, title: string) => (
    <label class="check"><input type="checkbox" checked={params.get(name) === '1'} onChange={(event) => setParams({ [name]: event.currentTarget.checked ? '1' : null })} /> {title}</label>
  );
  return (
    <>
      <label>Look for
        <select value={look} onChange={(event) => setParams({ look: event.currentTarget.value === 'shortest' ? null : event.currentTarget.value })}>
          {LOOKS.map((it) => <option key={it} value={it}>{LOOK_WORDS[it]}</option>)}
        </select>
      </label>
      <label>By
        <select value={params.get('by') ?? 'HOPS'} onChange={(event) => setParams({ by: event.currentTarget.value === 'HOPS' ? null : event.currentTarget.value })}>
          {Object.entries(WEIGHTS).map(([it, word]) => <option key={it} value={it}>{word}</option>)}
        </select>
      </label>
      {look !== 'diverse' && (
        <label>At most
          <input type="number" min={1} max={20} value={limitOf(params, look)} onChange={(event) => setParams({ limit: event.currentTarget.value || null })} />
        </label>
      )}
      <label>Network
        <select value={params.get('plane') ?? 'DATA'} onChange={(event) => setParams({ plane: event.currentTarget.value === 'DATA' ? null : event.currentTarget.value })}>
          <option value="DATA">Data</option><option value="MANAGEMENT">Management</option>
        </select>
      </label>
      <span class="checks">{check('planned', 'Planned and inactive, too')}{check('logical', 'Links without cables, too')}</span>
    </>
  );
}

function limitOf(params: URLSearchParams, look: string): number {
  const asked = Number(params.get('limit'));
  return asked >= 1 && asked <= 20 ? Math.floor(asked) : look === 'shortest' ? 3 : 10;
}

/** The objects that the paths must avoid. */
function Avoided({ ids }: { ids: string[] }) {
  const query = useQuery<{ nodes: Array<Row | null> }>(AVOIDED, { ids }, ids.length > 0 ? 'all' : []);
  if (ids.length === 0) return null;
  return (
    <div class="chips avoided" role="group" aria-label="Avoided">
      <span class="quiet">Around</span>
      {ids.map((id, at) => {
        const node = query.data.value?.nodes[at];
        const name = node ? String(node.name) : '…';
        return (
          <span class="chip" key={id}>
            {node ? <span class="thing"><span class="thing-kind">{titleOf(String(node.__typename))}</span><a href={pathOf(String(node.__typename), { id })}><bdi>{name}</bdi></a></span> : <bdi>{name}</bdi>}
            <button type="button" aria-label={`Do not avoid ${name}`} onClick={() => setParams({ avoid: ids.filter((it) => it !== id) })}>✕</button>
          </span>
        );
      })}
      {ids.length > 1 && <button type="button" onClick={() => setParams({ avoid: null })}>Avoid nothing</button>}
      <span class="quiet">and what their failure takes down</span>
    </div>
  );
}

const NONE: ReadonlySet<string> = new Set();

function Found({ from, to }: { from: string; to: string }) {
  const params = url.value.searchParams;
  const look = lookOf(params);
  const avoid = params.getAll('avoid');
  const common = { from, to, avoid, weight: params.get('by') ?? 'HOPS', plane: params.get('plane') ?? 'DATA', planned: params.get('planned') === '1', logical: params.get('logical') === '1' };
  const variables = look === 'diverse' ? common : { ...common, mode: look === 'disjoint' ? 'DISJOINT' : 'SHORTEST', limit: limitOf(params, look) };
  const query = useQuery<Answer>(look === 'diverse' ? DIVERSITY : PATHS, variables, 'all');
  const [struck, setStruck] = useState<{ name: string; ids: ReadonlySet<string> } | null>(null);
  const found = query.data.value?.found;
  if (query.error.value) return <Failure error={query.error.value} again={() => void query.read()} />;
  if (!found) return <p class="waiting">Looking…</p>;
  const { paths } = found;
  const ends = new Set(paths.flatMap((it) => [it.nodes[0]?.id, it.nodes.at(-1)?.id]));
  const canAvoid = (id: string): boolean => !ends.has(id) && id !== from && id !== to && !avoid.includes(id);
  const onAvoid = (id: string): void => { setStruck(null); setParams({ avoid: [...avoid, id] }); };
  if (paths.length === 0) {
    return <p class="empty" role="status">There is no path{avoid.length > 0 ? ' around these' : ''}. {params.get('logical') === '1' ? '' : 'Links without cables and planned objects are not used unless you say so above.'}</p>;
  }
  const words = look !== 'diverse' ? `${number(paths.length)} ${paths.length === 1 ? 'path' : 'paths'}`
    : found.disjoint ? 'Two paths without a device or line in common' : paths.length === 1 ? 'There is one path only' : 'There are no two paths without a device or line in common: these share the least';
  return (
    <div class="found">
      <p class="verdict" role="status">{words}. <span class="quiet">Press a device to look for paths around it.</span></p>
      <PathsDrawing
        label="The paths, drawn" paths={paths.map((it) => drawnOf(it, enumWords))} marked={struck?.ids ?? NONE} canAvoid={canAvoid} onAvoid={onAvoid}
      />
      {found.risks && <Risks risks={found.risks} struck={struck?.name ?? null} onStrike={setStruck} canAvoid={canAvoid} onAvoid={onAvoid} />}
      <div class="path-lists">{paths.map((it, at) => <PathList key={at} path={it} number={at} canAvoid={canAvoid} onAvoid={onAvoid} />)}</div>
    </div>
  );
}
