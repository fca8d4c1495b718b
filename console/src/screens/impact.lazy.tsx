// Impact: what goes down, is cut off or loses redundancy when the objects of the basket fail together, and why.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { ask, asRefused, basket, Failure, impactPath, number, pluralOf, say, setBasket, setParams, Table, url, useQuery } from '../shared.ts';
import type { Refused } from '../shared.ts';
import { EffectMark, effectWords, reasonWords } from './effects.tsx';
import { Basket, FailedNow, useBasket } from './impact-basket.tsx';
import { ImpactTree } from './impact-tree.tsx';
import { Compared, Difference, useKept } from './impact-compare.tsx';
import type { Kept } from './impact-compare.tsx';
import { countOf, EFFECTS } from './reasons.ts';
import type { Affected, Count, Effect } from './reasons.ts';
import { ThingLink } from './thing.tsx';
import { thingOf, REPORTED } from './things.ts';
import type { Thing, Reported } from './things.ts';

const PAGE = 1_000;
const REASONS = 3;
const DOCUMENT = `query Impact($of: [ID!]!, $kinds: [String!], $effects: [ImpactEffect!], $after: String) { impact(of: $of) {
  revision unanchored counts { kind effect count }
  affected(kinds: $kinds, effects: $effects, first: ${PAGE}, after: $after) {
    totalCount pageInfo { hasNextPage endCursor }
    nodes { ${REPORTED} effect rule lost of because(first: ${REASONS}) { kind path node { id } } }
  }
} }`;

interface Page {
  totalCount: number;
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  nodes: Array<Reported & { effect: Effect; rule: string; lost: number | null; of: number | null; because: Array<{ kind: string; path: string; node: { id: string } }> }>;
}
interface Answer { impact: { revision: number; unanchored: number; counts: Count[]; affected: Page } }
type Listed = Affected & { reasons: string[] };

const listed = (page: Page): Listed[] => page.nodes.map((it) => ({
  ...thingOf(it), effect: it.effect, rule: it.rule, lost: it.lost, of: it.of,
  because: it.because.map((one) => one.node.id), reasons: it.because.map((one) => one.path),
}));

export default function ImpactScreen() {
  const ids = url.value.searchParams.getAll('of');
  const asked = ids.join(' ');
  useEffect(() => {
    if (ids.length > 0) setBasket(ids);
  }, [asked]);
  // The address is what counts; without one the basket of this tab becomes it, once.
  useEffect(() => { if (ids.length === 0 && basket.value.length > 0) setParams({ of: basket.value }, 'replace'); }, []);
  const { held, error } = useBasket(ids);
  const there = (held ?? []).filter((it) => it.thing !== null);
  const copy = (): void => {
    void navigator.clipboard?.writeText(location.href).then(() => say('The link to this impact is copied.'), () => say('The browser does not allow copying.'));
  };
  return (
    <section class="page wide" aria-label="Impact">
      <header class="page-head">
        <h1>Impact</h1>
        <span class="grow" />
        {ids.length > 0 && <button type="button" onClick={copy}>Copy a link to share</button>}
      </header>
      <div class="analysis">
        <div class="side">
          <Basket ids={ids} held={held} />
          <Compared ids={ids} vs={url.value.searchParams.getAll('vs')} />
          <FailedNow />
        </div>
        <div class="found">
          {error && <Failure error={error} />}
          {there.length > 0
            ? <Result of={there.map((it) => it.id)} failed={there.flatMap((it) => it.thing ?? [])} />
            : <p class="empty">Nothing is changed by looking: put in what you think of switching off, moving or losing, and see what follows.</p>}
        </div>
      </div>
    </section>
  );
}

function Result({ of, failed }: { of: string[]; failed: Thing[] }) {
  const params = url.value.searchParams;
  const kind = params.get('kind');
  const effect = EFFECTS.find((it) => it === params.get('effect')) ?? null;
  const variables = { of, kinds: kind ? [kind] : null, effects: effect ? [effect] : null };
  const query = useQuery<Answer>(DOCUMENT, variables, 'all');
  const kept = useKept(params.getAll('vs'));
  const answer = query.data.value?.impact;
  const more = useMore(answer, variables);
  const affected = useMemo(() => (answer ? [...listed(answer.affected), ...more.rows] : []), [answer, more.rows]);
  const roots = useMemo(() => failed, [failed.map((it) => it.id + it.name).join()]);
  if (query.error.value) return <Failure error={query.error.value} again={() => void query.read()} />;
  if (!answer) return <p class="waiting">Working it out…</p>;
  const asList = params.get('view') === 'list';
  return (
    <>
      <Summary counts={answer.counts} kept={kept} unanchored={answer.unanchored} waiting={query.waiting.value} />
      <Counts counts={answer.counts} kept={kept} kind={kind} effect={effect} />
      {answer.counts.length > 0 && <div class="views" role="group" aria-label="View">
        <button type="button" aria-pressed={!asList} onClick={() => setParams({ view: null }, 'replace')}>Reasons</button>
        <button type="button" aria-pressed={asList} onClick={() => setParams({ view: 'list' }, 'replace')}>List</button>
        <a class="button" href={`/elevations${impactPath(url.value.searchParams.getAll('of')).slice('/impact'.length)}`}>Show in racks</a>
        <span class="quiet">{number(affected.length)}{affected.length < answer.affected.totalCount ? ` of ${number(answer.affected.totalCount)}` : ''} affected{kind || effect ? ' that fit' : ''}</span>
        {more.next && <button type="button" disabled={more.waiting} onClick={more.next}>Read more</button>}
        {more.error && <Failure error={more.error} />}
      </div>}
      {answer.counts.length === 0 ? null : asList ? <AffectedList rows={affected} kept={kept} /> : <ImpactTree failed={roots} affected={affected} />}
    </>
  );
}

/** Further pages of the same answer. They are dropped when the answer is another one. */
function useMore(answer: Answer['impact'] | undefined, variables: object) {
  const [state, setState] = useState<{ of: unknown; rows: Listed[]; info: Page['pageInfo'] } | null>(null);
  const [error, setError] = useState<Refused | null>(null);
  const [waiting, setWaiting] = useState(false);
  const current = state && state.of === answer ? state : null;
  const info = current?.info ?? answer?.affected.pageInfo;
  const next = (): void => {
    setWaiting(true);
    ask<Answer>(DOCUMENT, { ...variables, after: info?.endCursor }).then(
      ({ data }) => { setError(null); setState({ of: answer, rows: [...(current?.rows ?? []), ...listed(data.impact.affected)], info: data.impact.affected.pageInfo }); },
      (it) => setError(asRefused(it)),
    ).finally(() => setWaiting(false));
  };
  const none = useMemo<Listed[]>(() => [], []);
  return { rows: current?.rows ?? none, next: info?.hasNextPage ? next : null, error, waiting };
}

function Summary({ counts, kept, unanchored, waiting }: { counts: Count[]; kept: Kept | null; unanchored: number; waiting: boolean }) {
  const sum = (effect: Effect) => number(countOf(counts, effect));
  const more = (effect: Effect) => kept && <Difference by={countOf(counts, effect) - countOf(kept.counts, effect)} />;
  return (
    <div class="summary" role="status" aria-busy={waiting}>
      <p><b class="bad">{sum('DOWN')}</b> go down {more('DOWN')}</p>
      <p><b class="warn">{sum('ISOLATED')}</b> are cut off {more('ISOLATED')}</p>
      <p><b class="plan">{sum('DEGRADED')}</b> lose redundancy {more('DEGRADED')}</p>
      {unanchored > 0 && <p class="quiet">{number(unanchored)} devices have no way out that is known, so nothing is said of what they reach.</p>}
    </div>
  );
}

/** Counts by kind and effect; each narrows what is shown beneath. */
function Counts({ counts, kept, kind, effect }: { counts: Count[]; kept: Kept | null; kind: string | null; effect: Effect | null }) {
  if (counts.length === 0 && (kept?.counts.length ?? 0) === 0) return <p class="empty">Nothing else is affected: no object goes down, is cut off or loses redundancy.</p>;
  const names = [...new Set([...counts, ...kept?.counts ?? []].map((it) => it.kind))];
  const at = (name: string, which: Effect): number => countOf(counts, which, name);
  const choose = (name: string, which: Effect): void => {
    const same = kind === name && effect === which;
    setParams({ kind: same ? null : name, effect: same ? null : which }, 'replace');
  };
  return (
    <div class="counts-box">
      <table class="counts">
        <caption class="hidden">Affected objects by kind and effect. A number narrows what is shown beneath.</caption>
        <thead><tr><th scope="col">Kind</th>{EFFECTS.map((it) => <th scope="col" key={it}>{effectWords(it)}</th>)}</tr></thead>
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <th scope="row">{pluralOf(name)}</th>
              {EFFECTS.map((it) => (
                <td key={it}>
                  {at(name, it) > 0
                    ? <button type="button" class="plain" aria-pressed={kind === name && effect === it} title={`Show only ${pluralOf(name).toLowerCase()}: ${effectWords(it).toLowerCase()}`} onClick={() => choose(name, it)}>{number(at(name, it))}</button>
                    : <span class="quiet">–</span>}
                  {kept && <> <Difference by={at(name, it) - countOf(kept.counts, it, name)} /></>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {(kind || effect) && <button type="button" onClick={() => setParams({ kind: null, effect: null }, 'replace')}>Show all</button>}
    </div>
  );
}

const COLUMNS = [
  { id: 'object', title: 'Object', width: 260, grow: 1.4 }, { id: 'effect', title: 'Effect', width: 130 },
  { id: 'reason', title: 'Reason', width: 220, grow: 1 }, { id: 'because', title: 'Because of', width: 220, grow: 1.4 },
];

/** The same objects as a list. */
function AffectedList({ rows: listed, kept }: { rows: Listed[]; kept: Kept | null }) {
  const columns = kept?.ids ? [...COLUMNS, { id: 'kept', title: 'Kept basket', width: 130 }] : COLUMNS;
  // A row also shows if the kept basket has the object, too.
  const rows = useMemo(() => listed.map((it) => ({ ...it, both: kept?.ids?.has(it.id) ?? false })), [listed, kept?.ids]);
  const [active, setActive] = useState(0);
  const cell = (index: number, column: string) => {
    const it = rows[index];
    if (!it) return null;
    if (column === 'object') return <ThingLink it={it} quiet />;
    if (column === 'effect') return <EffectMark effect={it.effect} />;
    if (column === 'reason') return `${reasonWords(it.rule, it.effect)}${it.of === null ? '' : `: ${number(it.lost ?? 0)} of ${number(it.of)}`}`;
    if (column === 'kept') return it.both ? 'In both' : 'Only here';
    return <bdi>{it.reasons.map((one) => one.slice(one.indexOf('/') + 1)).join(', ')}</bdi>;
  };
  return (
    <div class="list-box">
      <Table
        label="Affected objects" columns={columns} total={rows.length} active={active} onActive={setActive}
        onOpen={() => {}} onWindow={() => {}} keyOf={(it) => rows[it]?.id ?? String(it)} cell={cell} rowAt={(it) => rows[it]}
      />
    </div>
  );
}
