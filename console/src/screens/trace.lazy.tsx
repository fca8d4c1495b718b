// Traces: the line of a port, a feed, the end of a circuit or a cable, and the lines of all ports of a device.
import { Failure, kindOf, lazy, useQuery, useResolved } from '../shared.ts';
import type { Kind } from '../shared.ts';
import { ENDS } from './trace-data.ts';
import { DeviceLines } from './trace-device.tsx';
import { PowerChain } from './trace-power.tsx';
import { TraceOf } from './trace-view.tsx';

const Gone = lazy<{ kind: Kind; rest: string[] }>(async () => (await import('./detail.lazy.tsx')).Gone);

export function TraceScreen({ kind, rest, power }: { kind: Kind; rest: string[]; power: boolean }) {
  const found = useResolved(kind, rest);
  if (found.error) return <Failure error={found.error} />;
  if (found.waiting) return <p class="waiting">Reading…</p>;
  if (!found.id) return <Gone kind={kind} rest={rest} />;
  if (power) return <PowerChain id={found.id} key={found.id} />;
  if (kind.name === 'Device') return <DeviceLines id={found.id} key={found.id} />;
  if (kind.name === 'Cable') return <CableTrace id={found.id} key={found.id} />;
  return <TraceOf from={found.id} of={{ kind: kind.name, id: found.id }} key={found.id} />;
}

interface End { id?: string }

/** The trace of a cable begins at its first end. */
function CableTrace({ id }: { id: string }) {
  const query = useQuery<{ node: { aEnds: End[]; bEnds: End[] } | null }>(ENDS, { id }, ['Cable']);
  const cable = query.data.value?.node;
  if (query.error.value) return <Failure error={query.error.value} again={() => void query.read()} />;
  if (!query.data.value) return <p class="waiting">Reading…</p>;
  const from = [...cable?.aEnds ?? [], ...cable?.bEnds ?? []].find((it) => it.id)?.id;
  if (!from || !kindOf('Cable')) return <p class="empty">This cable is plugged in nowhere.</p>;
  return <TraceOf from={from} of={{ kind: 'Cable', id }} key={from} />;
}
