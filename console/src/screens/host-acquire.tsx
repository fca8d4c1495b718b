// Takes hosts of a class: how many, for what, and spread over which failures. The answer names the worst one.
import { useState } from 'preact/hooks';
import { asRefused, Dialog, Failure, impactPath, mark, number, unmark, useQuery } from '../shared.ts';
import type { Refused } from '../shared.ts';
import { finder } from '../store/find.ts';
import { order } from '../store/may.ts';
import { Chosen } from './chosen.tsx';
import { ThingLink } from './thing.tsx';
import { thingOf, REPORTED } from './things.ts';
import type { Reported } from './things.ts';

const CLASSES = 'query Classes { hostClasses(first: 200) { nodes { id name title total available acquired failed } } }';
export interface HostClass { id: string; name: string; title: string | null; total: number; available: number; acquired: number; failed: number }

/** The classes with their numbers, followed by the feed. */
export function useClasses(): HostClass[] {
  return useQuery<{ hostClasses: { nodes: HostClass[] } }>(CLASSES, {}, ['Host', 'HostClass']).data.value?.hostClasses.nodes ?? [];
}

const SPREADS = [
  ['', 'no spread'], ['RACK', 'racks'], ['POWER', 'feeds, PDUs and UPSs'], ['SWITCH', 'switches'], ['FAILURE', 'every single failure'],
] as const;
const find = finder(['Region', 'Site', 'Location', 'Rack']);

interface Acquired {
  revision: number | null;
  hosts: Array<{ id: string; name: string }>;
  worst: (Reported & { takes: Array<{ id: string; name: string }> }) | null;
}

export function AcquireDialog({ chosen, onClose }: { chosen: string | null; onClose(): void }) {
  const classes = useClasses();
  const [name, setName] = useState(chosen ?? '');
  const [count, setCount] = useState(1);
  const [purpose, setPurpose] = useState('');
  const [within, setWithin] = useState<string | null>(null);
  const [spread, setSpread] = useState('');
  const [most, setMost] = useState('');
  const [error, setError] = useState<Refused | null>(null);
  const [waiting, setWaiting] = useState(false);
  const [done, setDone] = useState<Acquired | null>(null);
  const it = classes.find((one) => one.name === name);
  const give = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (waiting) return;
    setWaiting(true);
    setError(null);
    const input = { class: { hostClass: name }, count, for: purpose.trim(), within, spread: spread || null, most: most ? Number(most) : null };
    try {
      const answer = await order<Acquired>('acquireHosts', 'AcquireHostsInput', input, `revision hosts { id name } worst { ${REPORTED} takes { id name } }`);
      unmark('Host');
      mark('Host', answer.hosts.map((one) => one.id), true);
      setDone(answer);
    } catch (thrown) {
      setError(asRefused(thrown));
    }
    setWaiting(false);
  };
  if (done) return <Done done={done} onClose={onClose} />;
  return (
    <Dialog title="Acquire hosts" class="order" onClose={onClose}>
      <form onSubmit={(event) => void give(event)}>
        <header class="order-head"><h2>Acquire hosts</h2><button type="button" class="plain" onClick={onClose} aria-label="Close without ordering">✕</button></header>
        <div class="order-fields">
          <label>Class
            <select required value={name} onChange={(event) => setName(event.currentTarget.value)}>
              <option value="">Choose a class</option>
              {classes.map((one) => <option key={one.id} value={one.name}>{one.name}: {number(one.available)} of {number(one.total)} available</option>)}
            </select>
          </label>
          <label>How many <input type="number" required min={1} max={1000} value={count} onInput={(event) => setCount(Math.max(1, Number(event.currentTarget.value) || 1))} /></label>
          <label>For <input required maxLength={253} placeholder="the purpose, for others to read" value={purpose} onInput={(event) => setPurpose(event.currentTarget.value)} /></label>
          <Chosen label="Within" placeholder="Anywhere; type a place" id={within} find={find} remove="Anywhere" onChange={setWithin} />
          <label>Spread over
            <select value={spread} onChange={(event) => setSpread(event.currentTarget.value)}>{SPREADS.map(([value, word]) => <option key={value} value={value}>{word}</option>)}</select>
          </label>
          {spread && <label>One failure may take at most <input type="number" min={1} max={1000} placeholder="as few as possible" value={most} onInput={(event) => setMost(event.currentTarget.value)} /></label>}
        </div>
        <div class="order-what" role="status">
          <p>{number(count)} {count === 1 ? 'host' : 'hosts'} of {name ? `“${name}”` : 'the class'} {count === 1 ? 'is' : 'are'} taken, or none: the ones that wait longest{spread ? ', as far apart as possible' : ''}.</p>
          <p>No machine is touched.</p>
          {it && it.available < count && <p class="bad">Only {number(it.available)} {it.available === 1 ? 'is' : 'are'} available now.</p>}
        </div>
        {error && <Failure error={error} />}
        <footer>
          <button type="button" onClick={onClose}>Do nothing</button>
          <button type="submit" class="main" disabled={waiting}>Acquire {number(count)} {count === 1 ? 'host' : 'hosts'}</button>
        </footer>
      </form>
    </Dialog>
  );
}

function Done({ done, onClose }: { done: Acquired; onClose(): void }) {
  return (
    <Dialog title="Acquired" class="order" onClose={onClose}>
      <div class="order-done">
        <h2>{number(done.hosts.length)} {done.hosts.length === 1 ? 'host is' : 'hosts are'} yours, and marked</h2>
        <ul class="order-targets">{done.hosts.map((it) => <li key={it.id}><bdi>{it.name}</bdi></li>)}</ul>
        {done.worst && (
          <p>
            The worst single failure takes {number(done.worst.takes.length)} of {number(done.hosts.length)}: <ThingLink it={thingOf(done.worst)} />{' '}
            <a href={impactPath([done.worst.node.id])} onClick={onClose}>Show its impact</a>
          </p>
        )}
        <footer><button type="button" class="main" onClick={onClose}>Good</button></footer>
      </div>
    </Dialog>
  );
}
