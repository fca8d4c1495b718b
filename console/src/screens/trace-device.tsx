// The lines of all ports of a device that have a cable, each as the far ends that it leads to.
import { Failure, number, pathOf, trail, url, useEffect, useQuery } from '../shared.ts';
import { outcomeWords } from '../draw/line.ts';
import { hopOf, hopWords } from './trace-data.ts';
import type { HopRow } from './trace-data.ts';

const END = '__typename ... on Port { id name device { id name status site { name } placement { rack { id name } startUnit unitHeight } parent { name placement { rack { id name } startUnit unitHeight } } } } ... on PowerFeed { id name } ... on CircuitTermination { id name side circuit { id name } } ... on ProviderNetwork { id name } ... on Site { id name }';
const DOCUMENT = `query DeviceLines($id: ID!) { node(id: $id) { ... on Device { id name site { name } ports(first: 500, filter: {not: {type: {in: [VIRTUAL, LAG]}}}) { totalCount nodes {
  id name cable { id name color } trace { complete active branches { outcome cableCount lengthM knownLengthM end { ${END} } } }
} } } } }`;

interface Line { outcome: string; cableCount: number; lengthM: number | null; knownLengthM: number; end: HopRow | null }
interface PortRow { id: string; name: string; cable: { id: string; name: string; color: string | null } | null; trace: { complete: boolean; active: boolean; branches: Line[] } | null }
interface Answer { node: { id: string; name: string; site: { name: string }; ports: { totalCount: number; nodes: PortRow[] } } | null }

export function DeviceLines({ id }: { id: string }) {
  const query = useQuery<Answer>(DOCUMENT, { id }, ['Port', 'Cable', 'Circuit', 'CircuitTermination', 'Device']);
  const device = query.data.value?.node;
  useEffect(() => {
    if (!device) return undefined;
    trail.value = [{ name: device.name, path: pathOf('Device', { ...device }) }, { name: 'Trace', path: url.value.pathname }];
    document.title = `${device.name} · Trace · Underlay`;
    return () => { trail.value = []; };
  }, [device?.name]);
  if (query.error.value && !device) return <Failure error={query.error.value} again={() => void query.read()} />;
  if (!query.data.value) return <p class="waiting">Reading…</p>;
  if (!device) return <p class="empty">This device was deleted.</p>;
  const cabled = device.ports.nodes.filter((it) => it.cable);
  return (
    <section class="trace" aria-label={`Lines of ${device.name}`}>
      <header class="list-bar">
        <h1 title={device.name}>Lines of <bdi>{device.name}</bdi> <span class="count">{number(cabled.length)} of {number(device.ports.totalCount)} ports have a cable</span></h1>
        <a class="button" href={pathOf('Device', { ...device })}>Details</a>
      </header>
      <div class="trace-body" tabIndex={0} role="region" aria-label="Ports and their ends">
        <table class="units">
          <caption class="hidden">Ports and the ends that they lead to</caption>
          <thead><tr><th scope="col">Port</th><th scope="col">Leads to</th><th scope="col">Place</th><th scope="col">Cables</th><th scope="col">Length</th><th scope="col">State</th></tr></thead>
          <tbody>{cabled.map((it) => <PortLine key={it.id} port={it} />)}</tbody>
        </table>
        {cabled.length === 0 && <p class="empty">No port of this device has a cable.</p>}
      </div>
    </section>
  );
}

const MAX_ENDS = 4;

function PortLine({ port }: { port: PortRow }) {
  const branches = port.trace?.branches ?? [];
  const ends = branches.flatMap((it) => (it.end ? [hopOf(it.end)] : [])).slice(0, MAX_ENDS);
  const longest = Math.max(0, ...branches.map((it) => it.lengthM ?? it.knownLengthM));
  const broken = branches.find((it) => it.outcome !== 'COMPLETE');
  return (
    <tr>
      <th scope="row"><a href={`${pathOf('Port', { id: port.id })}/trace`}><bdi>{port.name}</bdi></a></th>
      <td>
        {ends.map((it) => <span class="item" key={it.id}><a href={pathOf(it.kind, { id: it.id })}><bdi>{hopWords(it)}</bdi></a></span>)}
        {branches.length > MAX_ENDS && <> and {number(branches.length - MAX_ENDS)} more</>}
      </td>
      <td><bdi>{ends[0]?.owner?.place}</bdi></td>
      <td>{number(Math.max(0, ...branches.map((it) => it.cableCount)))}</td>
      <td>{number(longest)} m</td>
      <td>
        <span class={`state ${port.trace?.complete ? (port.trace.active ? 'good' : 'warn') : 'bad'}`}>{port.trace?.complete ? (port.trace.active ? 'Active' : 'Not active') : 'Broken'}</span>
        {broken && <span class="fault-words"> {outcomeWords(broken.outcome)}</span>}
      </td>
    </tr>
  );
}
