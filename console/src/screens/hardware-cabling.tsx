// The neighbours that the interfaces of a host hear, beside the far ends that are recorded.
import type { ComponentChildren } from 'preact';
import { Failure, Ref } from '../shared.ts';
import type { Row } from '../shared.ts';
import { usePaced } from '../store/paced.ts';
import type { Query } from '../store/query.ts';
import { byVerdict, CABLED, CABLING, heardWords, isMismatch, sumOf, verdictOf, verdictsIn } from './hardware-cabling.ts';
import type { CabledInterface, Cabling, Heard } from './hardware-cabling.ts';
import { Table } from './hardware-table.tsx';
import type { Column } from './hardware-table.tsx';

type Read = Query<{ node: Cabling | null }>;

export const useCabling = (id: string, everyMs: number): Read => usePaced<{ node: Cabling | null }>(CABLING, { id }, CABLED, everyMs);

const Verdict = ({ of }: { of: string }) => <span class={`state ${verdictOf(of).tone}`}>{verdictOf(of).title}</span>;
const Port = ({ row }: { row: Row }) => <Ref row={row} kind="Port" />;
/** One beneath the other. Of none there is an empty text. */
const lines = (all: readonly ComponentChildren[]): ComponentChildren => (all.length > 0 ? <ul>{all.map((it, at) => <li key={at}>{it}</li>)}</ul> : '');

/** A neighbour as it says itself, and what that leads to in the inventory. */
function Neighbour({ it: { neighbour, port, device } }: { it: Heard }) {
  const [name, at] = heardWords(neighbour);
  return (
    <>
      <bdi>{name}</bdi> <code><bdi>{at}</bdi></code>
      <div class="quiet">{port ? <>leads to <Port row={port} /></> : device ? <>leads to <Ref row={device} kind="Device" />, port unknown</> : 'not in the inventory'}</div>
    </>
  );
}

const COLUMNS: Array<Column<CabledInterface>> = [
  { title: 'Interface', of: (it) => <bdi>{it.interface}</bdi> }, { title: 'Verdict', of: (it) => <Verdict of={it.verdict} /> },
  { title: 'Port of the device', of: (it) => it.port && <Ref row={it.port} kind="Port" own /> },
  { title: 'Recorded far end', of: (it) => lines(it.recorded.map((row) => <Port row={row} />)) },
  { title: 'Heard', of: (it) => lines(it.heard.map((one) => <Neighbour it={one} />)) },
];

export function CablingPart({ query }: { query: Read }) {
  if (query.error.value) return <Failure error={query.error.value} again={() => void query.read()} />;
  const node = query.data.value?.node;
  const all = node?.cabling;
  // A caller who sees only a part of the inventory gets none.
  if (!all) return null;
  return (
    <section aria-label="Cabling">
      <h2 class="sub">Cabling{all.length > 0 && <span class="hardware-sum">{sumOf(all)}</span>}</h2>
      {all.length === 0
        ? <p class="quiet">{node.machine?.__typename === 'Device' ? 'No interface was reported.' : 'The host has no device in the inventory, so no cables are recorded with which neighbours could be compared.'}</p>
        : <Compared all={all} />}
    </section>
  );
}

function Compared({ all }: { all: CabledInterface[] }) {
  return (
    <>
      <Table label="Table of cabling" rows={byVerdict(all)} columns={COLUMNS} keyOf={(it) => it.interface} isBad={(it) => it.verdict === 'DIFFERS'} absent="At no interface" />
      <dl class="hardware-verdicts" aria-label="What the verdicts mean">
        {verdictsIn(all).map((it) => <div key={it}><dt><Verdict of={it} /></dt><dd>{verdictOf(it).about}</dd></div>)}
      </dl>
      {all.some(isMismatch) && <p class="quiet">What can be mended safely in the inventory, <code>underlay cabling check -o manifest</code> writes as manifests.</p>}
    </>
  );
}
