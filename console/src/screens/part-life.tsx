// The life of a part: in which hosts it is and was, from when to when, and what happened to it there.
import { currentRoute, enumWords, Failure, go, since, time, trail, url, useCommands, useEffect } from '../shared.ts';
import { usePaced } from '../store/paced.ts';
import { useHardwareEvents } from './hardware-follow.ts';
import type { HardwareEvent } from './hardware-events.ts';
import { hardwarePath, Timeline } from './hardware-timeline.tsx';
import { eventsDocument, eventsOf, hostsOf, keyOfPart, LIFE, modelOf, MOST_EVENTS, WHERE, whereIs } from './part-data.ts';
import type { Stay, WholePart } from './part-data.ts';

const PACE_MS = 15_000;

/** What a caller sees who may not see parts. */
export const NoParts = () => <p class="empty">Tokens of a tenant do not see parts: they are of the hosts of all tenants.</p>;

export function PartScreen() {
  const serial = currentRoute.value.rest[0] ?? '';
  return <Parts serial={serial} key={serial} />;
}

function Parts({ serial }: { serial: string }) {
  const query = usePaced<{ part: WholePart[] | null }>(LIFE, { serial }, ['Host'], PACE_MS);
  const log = useHardwareEvents({ parts: ['DISK', 'MEMORY', 'GPU'] }, 1);
  const come = log.come.value?.cursor;
  useEffect(() => { if (come) query.mark(); }, [come]);
  useEffect(() => {
    trail.value = [{ name: 'Parts', path: '/parts' }, { name: serial, path: url.value.pathname }];
    document.title = `${serial} · Part · Underlay`;
    return () => { trail.value = []; };
  }, [serial]);
  useCommands({ up: () => go('/parts') });
  const [error, data] = [query.error.value, query.data.value];
  const isHidden = error?.code === 'FORBIDDEN' || (data !== null && data.part === null);
  const all = data?.part ?? [];
  return (
    <section class="page hardware" aria-label={`The part ${serial}`}>
      <header class="page-head"><h1>Part <bdi>{serial}</bdi></h1><a class="button" href="/parts">All parts</a></header>
      {isHidden && <NoParts />}
      {error && !isHidden && <Failure error={error} again={() => void query.read()} />}
      {!data && !error && <p class="waiting">Reading…</p>}
      {data?.part?.length === 0 && <p class="empty">No part with this serial number is known. Upper and lower case differ.</p>}
      {all.length > 1 && <p class="host-note">There are {all.length} parts with this serial number: their makers, models or kinds differ.</p>}
      {all.map((it) => <Life it={it} come={come ?? ''} alone={all.length === 1} key={keyOfPart(it)} />)}
    </section>
  );
}

const When = ({ at }: { at: string }) => <time dateTime={at} title={time(at)}>{since(at)}<span class="quiet"> {time(at)}</span></time>;

function Life({ it, come, alone }: { it: WholePart; come: string; alone: boolean }) {
  const where = whereIs(it);
  const name = `${enumWords(it.kind)} ${modelOf(it)}`.trim();
  // A name of its own for each region, also where several parts share a number.
  const suffix = alone ? '' : ` of the ${name}`;
  return (
    <>
      {!alone && <h2 class="sub">{name}</h2>}
      <dl class="fields hardware-head">
        <div><dt>Kind</dt><dd><span>{enumWords(it.kind)}</span></dd></div>
        {it.manufacturer && <div><dt>Maker</dt><dd><span><bdi>{it.manufacturer}</bdi></span></dd></div>}
        {it.model && <div><dt>{it.kind === 'MEMORY' ? 'Part number' : 'Model'}</dt><dd><span><bdi>{it.model}</bdi></span></dd></div>}
        <div>
          <dt>Where it is</dt>
          <dd><span>{it.host ? <><a href={hardwarePath(it.host)}><bdi>{it.host.name}</bdi></a> <code><bdi>{it.place}</bdi></code></> : <span class={`state ${where === 'SEVERAL' ? 'warn' : 'off'}`}>{where === 'IN' ? 'A host that was deleted' : WHERE[where]}</span>}</span></dd>
        </div>
      </dl>
      {it.ambiguous && <p class="host-note hardware-lack"><b>Several hosts say that they have it.</b> Either it moved and its old host has not reported since, or the maker gave the number twice.</p>}
      <section aria-label={`Stays in hosts${suffix}`}>
        <h2 class="sub">Stays in hosts</h2>
        <Stays all={it.stays} label={`Table of stays${suffix}`} />
      </section>
      <PartEvents it={it} come={come} suffix={suffix} />
    </>
  );
}

function Stays({ all, label }: { all: Stay[]; label: string }) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={label}>
      <table class="units hardware-table">
        <thead><tr><th scope="col">Host</th><th scope="col">Place</th><th scope="col">From</th><th scope="col">Until</th></tr></thead>
        <tbody>
          {all.map((it) => (
            <tr key={`${it.from} ${it.host?.id ?? ''} ${it.place}`}>
              <th scope="row">{it.host ? <a href={hardwarePath(it.host)}><bdi>{it.host.name}</bdi></a> : <span class="quiet">a host that was deleted</span>}</th>
              <td><code><bdi>{it.place}</bdi></code></td>
              <td><When at={it.from} /></td>
              <td>{it.until ? <When at={it.until} /> : <span class="state good">Is there</span>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type Lists = Record<string, { nodes: HardwareEvent[]; pageInfo: { hasNextPage: boolean } } | null>;

/** What happened to the part, out of the events of its hosts. */
function PartEvents({ it, come, suffix }: { it: WholePart; come: string; suffix: string }) {
  const hosts = hostsOf(it);
  if (hosts.length === 0) return null;
  return <Events it={it} come={come} suffix={suffix} hosts={hosts} key={hosts.join()} />;
}

function Events({ it, come, suffix, hosts }: { it: WholePart; come: string; suffix: string; hosts: string[] }) {
  const query = usePaced<Lists>(eventsDocument(hosts.length), { kind: it.kind, ...Object.fromEntries(hosts.map((id, at) => [`host${at}`, id])) }, [], PACE_MS);
  useEffect(() => { if (come) query.mark(); }, [come]);
  const lists = Object.values(query.data.value ?? {}).filter((one) => one !== null);
  const events = eventsOf(it, lists.map((one) => one.nodes));
  return (
    <section aria-label={`Events${suffix}`}>
      <h2 class="sub">Events</h2>
      {query.error.value && <Failure error={query.error.value} again={() => void query.read()} />}
      {query.data.value && events.length === 0 && <p class="quiet">None is kept. The first report of a host makes no event.</p>}
      <Timeline events={events} level="h3" />
      {lists.some((one) => one.pageInfo.hasNextPage) && <p class="unset">The newest {MOST_EVENTS} events of each host were looked through.</p>}
    </section>
  );
}
