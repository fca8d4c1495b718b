// The host board: how many hosts stand where, the pick list, the life of each, and the orders.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Act, enumWords, EnumValue, Failure, go, intoBasket, mark, marksOf, narrowedTo, number, pathOf, placeFilter, Rows, setParams, Table, unmark, url, useCommands, useQuery } from '../shared.ts';
import type { Row } from '../kinds/shape.ts';
import { kindOf } from '../shared.ts';
import { denialOf } from '../store/may.ts';
import { AcquireDialog, useClasses } from './host-acquire.tsx';
import { OrderDialog } from './host-dialog.tsx';
import { blockedBy, isAtWork, LIFE, MAX_HOSTS, ORDERS } from './host-orders.ts';
import type { Order, Target } from './host-orders.ts';
import { HostPane } from './host-pane.tsx';

export { EnrolmentScreen } from './enrolment.tsx';

const HOST = kindOf('Host');
const STATES = [...LIFE, 'FAILED'];
const FIELDS = ['title', 'state', 'step', 'power', 'class', 'machine', 'site', 'acquiredFor', 'failure', 'maintenance', 'generation', 'generationDone', 'wanted'];
const TARGETS = `query Targets($ids: [ID!]!) { nodes(ids: $ids) { ... on Host {
  id name state power generation generationDone maintenance failure { during reason message } } } }`;
const COUNTS = `query States($filter: HostFilter) { ${STATES.map((it) => `${it}: hosts(filter: {and: [{state: {eq: ${it}}}, $filter]}, first: 0) { totalCount }`).join(' ')} }`;

export default function HostsBoard() {
  const params = url.value.searchParams;
  const hostClass = params.get('class');
  const state = STATES.find((it) => it === params.get('state')) ?? null;
  const q = params.get('q');
  const place = placeFilter('Host', narrowedTo());
  const base = [...(place ? [place] : []), ...(hostClass ? [{ class: { name: { eq: hostClass } } }] : []), ...(q ? [{ name: { contains: q, caseInsensitive: true } }] : [])];
  const filter = { and: [...base, ...(state ? [{ state: { eq: state } }] : [])] };
  const counts = useQuery<Record<string, { totalCount: number } | null>>(COUNTS, { filter: { and: base } }, ['Host']);
  if (!HOST) return null;
  return (
    <section class="page wide tall" aria-label="Host board">
      <header class="page-head">
        <h1>Host board</h1>
        <ClassFilter chosen={hostClass} />
        <input type="search" aria-label="Hosts whose name contains" placeholder="Name contains…" value={q ?? ''} onChange={(event) => setParams({ q: event.currentTarget.value || null }, 'replace')} />
      </header>
      <div class="states" role="group" aria-label="Hosts by state">
        {STATES.map((it) => {
          const count = counts.data.value?.[it]?.totalCount ?? 0;
          return (
            <button type="button" key={it} aria-pressed={state === it} class={it === 'FAILED' && count > 0 ? 'is-failed' : undefined} onClick={() => setParams({ state: state === it ? null : it })}>
              <b>{counts.data.value ? number(count) : '…'}</b> {enumWords(it)}
            </button>
          );
        })}
      </div>
      {counts.error.value && <Failure error={counts.error.value} again={() => void counts.read()} />}
      <Hosts filter={filter} hostClass={hostClass} />
    </section>
  );
}

function ClassFilter({ chosen }: { chosen: string | null }) {
  const classes = useClasses();
  return (
    <select aria-label="Class" value={chosen ?? ''} onChange={(event) => setParams({ class: event.currentTarget.value || null })}>
      <option value="">All classes</option>
      {classes.map((it) => <option key={it.id} value={it.name}>{it.name}: {number(it.available)} of {number(it.total)} available</option>)}
      {chosen && !classes.some((it) => it.name === chosen) && <option value={chosen}>{chosen}</option>}
    </select>
  );
}

const COLUMNS = [
  { id: 'name', title: 'Name', width: 120, grow: 1 }, { id: 'state', title: 'State', width: 118 }, { id: 'work', title: 'At work, or why not', width: 170, grow: 1.4 },
  { id: 'power', title: 'Power', width: 84 }, { id: 'class', title: 'Class', width: 92, grow: 0.4 }, { id: 'acquiredFor', title: 'Acquired for', width: 104, grow: 0.6 },
];

function useHosts(filter: object): Rows {
  const key = JSON.stringify(filter);
  const rows = useMemo(() => new Rows({ kind: HOST as never, filter, order: null, columns: FIELDS }), [key]);
  useEffect(() => () => rows.close(), [rows]);
  return rows;
}

function Hosts({ filter, hostClass }: { filter: object; hostClass: string | null }) {
  const rows = useHosts(filter);
  const [active, setActive] = useState(0);
  void rows.version.value;
  const total = rows.total.value ?? 0;
  const marked = marksOf('Host');
  const at = Math.max(0, Math.min(active, total - 1));
  const current = rows.at(at);
  const ids = marked.size > 0 ? [...marked] : current ? [String(current.id)] : [];
  const toggle = (index: number): void => {
    const id = rows.at(index)?.id;
    if (id) mark('Host', [String(id)], !marked.has(String(id)));
    setActive(index);
  };
  const move = (by: number): void => setActive(Math.max(0, Math.min(total - 1, at + by)));
  const markAll = (): void => mark('Host', Array.from({ length: Math.min(total, MAX_HOSTS) }, (_, it) => rows.at(it)?.id).filter(Boolean).map(String), true);
  const open = (index: number): void => { const row = rows.at(index); if (row) go(pathOf('Host', row)); };
  useCommands({
    next: () => move(1), previous: () => move(-1), mark: () => toggle(at), 'mark-all': markAll, unmark: () => unmark('Host'), open: () => open(at),
    impact: () => intoBasket(ids),
  });
  return (
    <>
      <Orders ids={ids} marked={marked.size} name={current ? String(current.name) : null} hostClass={hostClass} />
      {rows.error.value && <Failure error={rows.error.value} again={() => rows.refresh()} />}
      {rows.total.value === 0
        ? <p class="empty">No host fits. Hosts come from appliances (<code>underlay appliance enlist</code>), from sources, or one by one.</p>
        : (
          <div class="beside board">
            <Table
              label="Hosts" columns={COLUMNS} total={total} active={at} onActive={setActive} onOpen={open} onMark={toggle}
              isMarked={(it) => marked.has(String(rows.at(it)?.id))} onWindow={(from, to) => rows.need(from, to)}
              keyOf={(it) => String(rows.at(it)?.id ?? it)} rowAt={(it) => rows.at(it)} cell={(index, column) => <Cell row={rows.at(index)} column={column} />}
            />
            {current && <HostPane id={String(current.id)} key={String(current.id)} />}
          </div>
        )}
    </>
  );
}

function Cell({ row, column }: { row: Row | undefined; column: string }) {
  if (!row) return null;
  const it = row as unknown as Target & { step: { name: string } | null; class: { name: string } | null; acquiredFor: string | null; wanted: { act: string } | null };
  if (column === 'name') return <a href={pathOf('Host', row)} tabIndex={-1} title={it.name}><bdi>{it.name}</bdi></a>;
  if (column === 'state') return <EnumValue field="state" value={it.state} />;
  if (column === 'power') return <EnumValue field="power" value={it.power} />;
  if (column === 'class') return <bdi>{it.class?.name ?? ''}</bdi>;
  if (column === 'acquiredFor') return <bdi>{it.acquiredFor ?? ''}</bdi>;
  if (it.failure) return <span title={it.failure.message}><b>{it.failure.reason}</b> {it.failure.message}</span>;
  if (isAtWork(it)) return <span>{enumWords(it.wanted?.act ?? 'order')}: {it.step?.name ?? 'waiting for a controller'}</span>;
  return Object.keys(it.maintenance).length > 0 ? <span>In maintenance by <bdi>{Object.keys(it.maintenance).join(', ')}</bdi></span> : null;
}

function Orders({ ids, marked, name, hostClass }: { ids: string[]; marked: number; name: string | null; hostClass: string | null }) {
  const query = useQuery<{ nodes: Array<Target | null> }>(TARGETS, { ids: ids.slice(0, MAX_HOSTS) }, ids.length > 0 ? ['Host'] : []);
  const targets = (query.data.value?.nodes ?? []).filter((it): it is Target => Boolean(it?.id));
  const [shown, setShown] = useState<Order | 'acquire' | null>(null);
  return (
    <div class="orders" role="group" aria-label="Orders">
      <Act class="main" refusal={denialOf('acquireHosts')} onClick={() => setShown('acquire')}>Acquire…</Act>
      <span class="orders-for">{marked > 0 ? `For ${number(marked)} marked:` : name ? <>For <bdi>{name}</bdi>:</> : 'Mark hosts:'}</span>
      {ORDERS.map((it) => <Act key={it.id} refusal={denialOf(it.mutation) ?? blockedBy(it, targets) ?? undefined} onClick={() => setShown(it)}>{it.title}…</Act>)}
      {marked > 0 && <button type="button" class="plain" onClick={() => unmark('Host')}>Remove the marks</button>}
      {shown === 'acquire' && <AcquireDialog chosen={hostClass} onClose={() => setShown(null)} />}
      {shown !== null && shown !== 'acquire' && <OrderDialog order={shown} targets={targets} onClose={() => setShown(null)} />}
    </div>
  );
}
