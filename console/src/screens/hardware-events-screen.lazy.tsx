// What changed in the hardware of all hosts, as it is reported.
import { Failure, narrowedTo, setParams, url, useEffect, useState, valuesOf } from '../shared.ts';
import { finder } from '../store/find.ts';
import { Chosen } from './chosen.tsx';
import { changeWords, comeSince, filterOf, partWords } from './hardware-events.ts';
import { useHardwareEvents } from './hardware-follow.ts';
import { comeWords, Earlier, Timeline, told } from './hardware-timeline.tsx';

const FILTERS = ['part', 'change', 'host'] as const;
const FIRST = 50;
const findHost = finder(['Host']);

/** Where the timeline was when somebody stopped it. */
interface Paused { at: string | null }

export default function EventsScreen() {
  const params = url.value.searchParams;
  const filter = filterOf(params);
  const log = useHardwareEvents(filter, FIRST);
  const [paused, setPaused] = useState<Paused | null>(null);
  const key = JSON.stringify(filter);
  // Another filter is another timeline.
  useEffect(() => setPaused(null), [key]);
  const all = log.events.value ?? [];
  const waiting = paused ? comeSince(all, paused.at) : 0;
  const narrowed = FILTERS.some((it) => params.has(it));
  if (log.isHidden.value) {
    return (
      <section class="page" aria-label="Hardware events">
        <h1>Hardware events</h1>
        <p class="empty">Tokens of a tenant do not see them: they are of the hosts of all tenants.</p>
      </section>
    );
  }
  return (
    <section class="page hardware" aria-label="Hardware events">
      <header class="page-head">
        <h1>Hardware events</h1>
        <p class="quiet">What changed in the machines between two reports of their agents.</p>
        <span class="grow" />
        <span role="status">{waiting > 0 ? comeWords(waiting) : paused ? 'Paused' : ''}</span>
        <button type="button" onClick={() => setPaused(paused ? null : { at: all[0]?.cursor ?? null })}>{paused ? 'Go on' : 'Pause'}</button>
      </header>
      {narrowedTo() && <p class="quiet">These are the events of all places: they cannot be narrowed to one.</p>}
      <div class="hardware-filters">
        <Chosen label="Host" placeholder="All; type a name" id={params.get('host')} find={findHost} remove="Show all hosts" onChange={(id) => setParams({ host: id })} />
        <Values name="part" title="Parts" of="HardwarePart" words={partWords} />
        <Values name="change" title="Changes" of="HardwareChange" words={changeWords} />
        {narrowed && <button type="button" onClick={() => setParams(Object.fromEntries(FILTERS.map((it) => [it, null])))}>Show all</button>}
      </div>
      {log.error.value && <Failure error={log.error.value} again={log.again} />}
      {log.events.value === null && !log.error.value && <p class="waiting">Reading…</p>}
      {log.events.value !== null && all.length === 0 && (narrowed ? <p class="empty">No event fits.</p> : <Nothing />)}
      <p class="hidden" role="status">{!paused && log.come.value ? told(log.come.value, true) : ''}</p>
      <Timeline events={all.slice(waiting)} level="h2" />
      {log.more.value && <Earlier onMore={() => void log.earlier()} />}
    </section>
  );
}

interface ValuesProps {
  /** The parameter of the address, which can be there several times. */
  name: string;
  title: string;
  /** The enum that has the values. */
  of: string;
  words(value: string): string;
}

/** Values to select: none of them means all. */
function Values({ name, title, of, words }: ValuesProps) {
  const chosen = url.value.searchParams.getAll(name);
  const toggle = (it: string): void => {
    const next = chosen.includes(it) ? chosen.filter((one) => one !== it) : [...chosen, it];
    setParams({ [name]: next.length > 0 ? next : null });
  };
  // An address of a console that is newer may have a value that this one does not know.
  const values = [...new Set([...valuesOf(of), ...chosen])];
  return (
    <div class="states" role="group" aria-label={title}>
      <span class="quiet">{title}</span>
      {values.map((it) => <button type="button" key={it} aria-pressed={chosen.includes(it)} onClick={() => toggle(it)}>{words(it)}</button>)}
    </div>
  );
}

/** The way to the first event. */
function Nothing() {
  return (
    <div class="hardware-nothing">
      <p><b>No change of hardware was reported yet.</b></p>
      <p>Agents on the machines report their hardware, and what changed between two reports is an event. Get a token for a host on its page <i>Hardware</i>, or with <code>underlay agent token HOST</code>, and run <code>underlay-agent run</code> on the machine. <a href="/hosts">Choose a host</a>.</p>
    </div>
  );
}

