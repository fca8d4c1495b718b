// The power of a device: the chain of each inlet up to the utility, beside each other, and what they have in common.
import { EnumValue, Failure, number, pathOf, setParams, trail, url, useEffect, useQuery } from '../shared.ts';
import { commonOf, treeOf } from '../draw/line.ts';
import { LineDrawing } from '../draw/line.tsx';
import { branchesOf, TRACE_FIELDS } from './trace-data.ts';
import type { TraceRow } from './trace-data.ts';
import { TraceList } from './trace-list.tsx';

const DOCUMENT = `query PowerChain($id: ID!) { node(id: $id) { ... on Device { id name inletsRequired site { id name }
  ports(first: 40, filter: {type: {eq: POWER_INLET}}) { nodes { id name trace(throughDevices: true) { ${TRACE_FIELDS} } } }
} } }`;

interface Inlet { id: string; name: string; trace: TraceRow | null }
interface Answer { node: { id: string; name: string; inletsRequired: number; site: { id: string; name: string }; ports: { nodes: Inlet[] } } | null }

export function PowerChain({ id }: { id: string }) {
  const query = useQuery<Answer>(DOCUMENT, { id }, ['Port', 'Cable', 'PowerFeed', 'Device']);
  const device = query.data.value?.node;
  useEffect(() => {
    if (!device) return undefined;
    trail.value = [{ name: device.name, path: pathOf('Device', { ...device }) }, { name: 'Power', path: url.value.pathname }];
    document.title = `${device.name} · Power · Underlay`;
    return () => { trail.value = []; };
  }, [device?.name]);
  if (query.error.value && !device) return <Failure error={query.error.value} again={() => void query.read()} />;
  if (!query.data.value) return <p class="waiting">Reading…</p>;
  if (!device) return <p class="empty">This device was deleted.</p>;
  const list = url.value.searchParams.get('view') === 'list';
  const inlets = device.ports.nodes;
  return (
    <section class="trace" aria-label={`Power of ${device.name}`}>
      <header class="list-bar">
        <h1 title={device.name}>Power of <bdi>{device.name}</bdi> <span class="count">{number(inlets.length)} {inlets.length === 1 ? 'inlet' : 'inlets'}, {number(device.inletsRequired)} required</span></h1>
        <a class="button" href={pathOf('Device', { ...device })}>Details</a>
        <span class="grow" />
        <div class="switch" role="group" aria-label="View">
          <button type="button" aria-pressed={!list} onClick={() => setParams({ view: null }, 'replace')}>Drawing</button>
          <button type="button" aria-pressed={list} onClick={() => setParams({ view: 'list' }, 'replace')}>Table</button>
        </div>
      </header>
      <Common inlets={inlets} own={device.id} />
      <div class={list ? 'trace-body' : 'trace-body drawn'} tabIndex={0} role="region" aria-label={list ? 'Tables' : 'Drawings'}>
        <div class={list ? 'chains listed' : 'chains'}>
          {inlets.map((it) => <Chain key={it.id} inlet={it} drawn={!list} />)}
        </div>
        {inlets.length === 0 && <p class="empty">This device has no power inlet.</p>}
      </div>
    </section>
  );
}

/** The objects whose failure takes all inlets at once. */
function Common({ inlets, own }: { inlets: readonly Inlet[]; own: string }) {
  if (inlets.length < 2) return null;
  const common = commonOf(inlets.map((it) => (it.trace ? branchesOf(it.trace) : [])), own);
  if (common.length === 0) return <p class="trace-sum"><span class="state good">Independent</span> The inlets have nothing in common.</p>;
  return (
    <p class="trace-sum">
      <span class="state warn">Shared</span> All inlets depend on{' '}
      <span>{common.map((it) => <span class="item" key={it.id}><a href={pathOf(it.kind, { id: it.id })}><bdi>{it.name}</bdi></a></span>)}</span>
    </p>
  );
}

function Chain({ inlet, drawn }: { inlet: Inlet; drawn: boolean }) {
  const { trace } = inlet;
  const state = !trace?.complete ? 'BROKEN' : trace.active ? 'ACTIVE' : 'DEGRADED';
  return (
    <article class="chain" aria-label={inlet.name}>
      <h2><a href={`${pathOf('Port', { id: inlet.id })}/trace?through=on`}><bdi>{inlet.name}</bdi></a> <EnumValue field="state" value={state} /></h2>
      {trace && drawn && <LineDrawing tree={treeOf(branchesOf(trace), inlet.id)} label={`Power of ${inlet.name}`} selected={null} pathOf={(kind, id) => pathOf(kind, { id })} />}
      {trace && <TraceList trace={trace} />}
    </article>
  );
}
