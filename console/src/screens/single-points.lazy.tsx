// Single points of failure: the objects whose failure alone takes down or cuts off others, the worst first.
import { useMemo, useState } from 'preact/hooks';
import { Failure, go, impactPath, IN, intoBasket, kindOf, narrowedTo, number, pluralOf, setParams, Table, titleOf, url, useCommands, useQuery } from '../shared.ts';
import { finder } from '../store/find.ts';
import { Chosen } from './chosen.tsx';
import { RULES, ruleTitle } from './effects.tsx';
import { ThingLink } from './thing.tsx';
import { thingOf, REPORTED } from './things.ts';
import type { Reported } from './things.ts';

const MOST = 1_000;
const DOCUMENT = `query SinglePoints($within: ID, $rule: ImpactRule) { singlePointsOfFailure(within: $within, rule: $rule, first: ${MOST}) { ${REPORTED} count } }`;
const find = finder(['Region', 'Site', 'Location', 'Rack', 'Cluster']);

interface Point extends Reported { count: number }

export default function SinglePointsScreen() {
  const params = url.value.searchParams;
  const within = params.get('within') ?? narrowedTo();
  const rule = RULES.find((it) => it === params.get('rule')) ?? null;
  // A kind that is none hides nothing: “no single point” must be true.
  const kind = kindOf(params.get('kind') ?? '')?.name ?? null;
  const query = useQuery<{ singlePointsOfFailure: Point[] | null }>(DOCUMENT, { within, rule }, 'all');
  const all = query.data.value?.singlePointsOfFailure ?? [];
  const kindsThere = [...new Set(all.map((it) => it.kind))].sort((a, b) => pluralOf(a).localeCompare(pluralOf(b)));
  const found = query.data.value;
  const shown = useMemo(() => (kind ? all.filter((it) => it.kind === kind) : all), [found, kind]);
  return (
    <section class="page wide tall" aria-label="Single points of failure">
      <header class="page-head">
        <h1>Single points of failure <span class="count" aria-live="polite">{query.data.value ? number(shown.length) : '…'}{all.length === MOST ? ' or more' : ''}</span></h1>
        <p class="quiet">What takes down or cuts off something else when it fails alone.</p>
      </header>
      <div class="narrow">
        <Chosen label="Within" placeholder="Everywhere; type a place" id={within} find={find} remove="Look everywhere" onChange={(id) => setParams({ within: id, ...(id ? {} : { [IN]: null }) })} />
        <label>Because of
          <select value={rule ?? ''} onChange={(event) => setParams({ rule: event.currentTarget.value || null })}>
            <option value="">Anything</option>
            {RULES.map((it) => <option key={it} value={it}>{ruleTitle(it)}</option>)}
          </select>
        </label>
        <label>Kind
          <select value={kind ?? ''} onChange={(event) => setParams({ kind: event.currentTarget.value || null })}>
            <option value="">All kinds</option>
            {kindsThere.map((it) => <option key={it} value={it}>{pluralOf(it)}, {number(all.filter((one) => one.kind === it).length)}</option>)}
            {kind && !kindsThere.includes(kind) && <option value={kind}>{pluralOf(kind)}, 0</option>}
          </select>
        </label>
      </div>
      {query.error.value && <Failure error={query.error.value} again={() => void query.read()} />}
      {!query.data.value && !query.error.value && <p class="waiting">Working it out…</p>}
      {query.data.value && (shown.length > 0 ? <Points points={shown} /> : <p class="empty">Nothing here is a single point of failure{rule || kind ? ' of this sort' : ''}.</p>)}
    </section>
  );
}

const COLUMNS = [
  { id: 'rank', title: 'Rank', width: 56, numeric: true }, { id: 'object', title: 'Object', width: 260, grow: 1.4 },
  { id: 'kind', title: 'Kind', width: 130, grow: 0.3 }, { id: 'count', title: 'Takes with it', width: 240, grow: 0.8 },
  { id: 'impact', title: 'Impact', width: 110 },
];

function Points({ points }: { points: Point[] }) {
  const [active, setActive] = useState(0);
  const at = Math.min(active, points.length - 1);
  // Rank and bar depend on all that are shown: another selection draws each row again.
  const rows = useMemo(() => points.map((it) => ({ ...it })), [points]);
  const worst = Math.max(1, ...points.map((it) => it.count));
  const show = (index: number): void => { const it = points[index]; if (it) go(impactPath([it.node.id])); };
  const move = (by: number): void => setActive(Math.max(0, Math.min(points.length - 1, at + by)));
  useCommands({
    next: () => move(1), previous: () => move(-1), open: () => show(at),
    impact: () => intoBasket(points[at] ? [points[at].node.id] : []),
  });
  const cell = (index: number, column: string) => {
    const it = points[index];
    if (!it) return null;
    if (column === 'rank') return number(index + 1);
    if (column === 'object') return <ThingLink it={thingOf(it)} quiet kind={false} />;
    if (column === 'kind') return titleOf(it.kind);
    if (column === 'impact') return <a href={impactPath([it.node.id])} tabIndex={-1}>Show why<span class="hidden"> {thingOf(it).name} takes them</span></a>;
    return (
      <span class="bar">
        <b>{number(it.count)}</b>
        <svg aria-hidden="true" viewBox="0 0 100 8" preserveAspectRatio="none"><rect class="bar-fill" width={Math.max(1, (100 * it.count) / worst)} height="8" /></svg>
      </span>
    );
  };
  return (
    <div class="list-box grow">
      <Table
        label="Single points of failure" columns={COLUMNS} total={points.length} active={at} onActive={setActive} onOpen={show}
        onWindow={() => {}} keyOf={(it) => points[it]?.node.id ?? String(it)} cell={cell} rowAt={(it) => rows[it]}
      />
    </div>
  );
}
