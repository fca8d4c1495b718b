// The hardware of a host, as the agent on it reported: when it was last heard, what changed, the parts, and the token that it
// has.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { currentRoute, enumWords, Failure, go, lazy, pathOf, since, time, trail, url, useCommands, useQuery, useResolved, viewer } from '../shared.ts';
import type { Kind } from '../shared.ts';
import { Copy } from '../parts/copy.tsx';
import { usePaced } from '../store/paced.ts';
import { alarmsOf, DOCUMENT, RAW } from './hardware-data.ts';
import type { Machine, Report } from './hardware-data.ts';
import { HostEvents } from './hardware-host-events.tsx';
import { DisksPart, InterfacesPart, MemoryPart, ProcessorsPart, SystemPart } from './hardware-parts.tsx';
import { TokenPart } from './hardware-token.tsx';

export { EventsScreen } from './hardware-events-screen.tsx';

const Gone = lazy<{ kind: Kind; rest: string[] }>(async () => (await import('./detail.lazy.tsx')).Gone);
/** Reports make no revision, so the feed does not tell of them; and not everything that is reported is an event. */
const PACE_MS = 15_000;

export default function HardwareScreen() {
  const { kind, rest } = currentRoute.value;
  return kind ? <Resolved kind={kind} rest={rest} /> : null;
}

function Resolved({ kind, rest }: { kind: Kind; rest: string[] }) {
  const found = useResolved(kind, rest);
  if (found.error) return <Failure error={found.error} />;
  if (found.waiting) return <p class="waiting">Reading…</p>;
  if (!found.id) return <Gone kind={kind} rest={rest} />;
  return <Hardware id={found.id} key={found.id} />;
}

function Hardware({ id }: { id: string }) {
  const query = usePaced<{ node: Machine | null }>(DOCUMENT, { id }, ['Host'], PACE_MS);
  const host = query.data.value?.node;
  const path = host ? pathOf('Host', { ...host }) : '/hosts';
  useEffect(() => {
    if (!host) return undefined;
    trail.value = [{ name: host.name, path }, { name: 'Hardware', path: url.value.pathname }];
    document.title = `${host.name} · Hardware · Underlay`;
    return () => { trail.value = []; };
  }, [host?.name]);
  useCommands({ up: () => go(path) });
  const failed = query.error.value && <Failure error={query.error.value} again={() => void query.read()} />;
  if (failed && !host) return failed;
  if (!query.data.value) return <p class="waiting">Reading…</p>;
  if (!host) return <p class="empty">This host was deleted.</p>;
  // A tenant is not told of tokens.
  const token = !viewer.value?.tenant && <TokenPart host={host} onDone={() => void query.read()} />;
  const events = <HostEvents id={host.id} key="events" onCome={() => query.mark()} />;
  return (
    <section class="page hardware" aria-label={`Hardware of ${host.name}`}>
      <header class="page-head">
        <h1>Hardware of <bdi>{host.name}</bdi></h1>
        <a class="button" href={path}>Details</a>
      </header>
      {failed}
      {host.facts.length === 0 && <Nothing host={host} />}
      {host.facts.length === 0 && events}
      {host.facts.map((it, at) => <Facts key={it.origin} report={it} host={host}>{at === 0 && events}</Facts>)}
      {token}
      {host.facts.map((it) => !viewer.value?.tenant && <Raw key={it.origin} id={host.id} report={it} />)}
    </section>
  );
}

const isStale = (host: Machine): boolean => host.hardwareConditions.includes('FACTS_STALE');
const Stale = () => <span class="state warn">Stale</span>;

/** The way to the first report. */
function Nothing({ host }: { host: Machine }) {
  const waits = host.agentToken !== null && host.agentToken.revokedAt === null;
  return (
    <div class="hardware-nothing">
      <p><b>Nothing was reported of this hardware yet.</b> {isStale(host) && <Stale />}</p>
      {waits
        ? <p>A token was issued, and no agent has reported with it. What <code>underlay-agent run</code> prints on the machine says why the server does not take its reports.</p>
        : <p>The agent on the machine reports it. Get a token with <code>underlay agent token <bdi>{host.name}</bdi></code>, or here, keep it in a file on the machine, and run <code>underlay-agent run --server {location.origin} --token-file FILE</code> there.</p>}
    </div>
  );
}

function Facts({ report, host, children }: { report: Report; host: Machine; children: ComponentChildren }) {
  const alarms = alarmsOf(report);
  return (
    <>
      <dl class="fields hardware-head">
        <div><dt>Last heard</dt><dd><span><b><time dateTime={report.receivedAt}>{since(report.receivedAt)}</time></b> {isStale(host) && <Stale />} <span class="quiet">{time(report.receivedAt)}</span></span></dd></div>
        <div><dt>Unchanged since</dt><dd><span><time dateTime={report.since}>{since(report.since)}</time> <span class="quiet">{time(report.since)}</span></span></dd></div>
        <div><dt>Reported by</dt><dd><span>{enumWords(report.origin)} {report.agentVersion}</span></dd></div>
      </dl>
      {isStale(host) && <p class="host-note hardware-lack">The agent was not heard for three times as long as it usually waits: what is below may be old.</p>}
      {alarms.length > 0 && <ul class="hardware-alarms">{alarms.map((it) => <li key={it}>{it}</li>)}</ul>}
      {children}
      <SystemPart report={report} />
      <ProcessorsPart report={report} />
      <MemoryPart report={report} />
      <DisksPart report={report} />
      <InterfacesPart report={report} />
    </>
  );
}

/** The report as it was sent. It can be large, so it is read when somebody opens it. */
function Raw({ id, report }: { id: string; report: Report }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="hardware-raw" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>The report as it was sent</summary>
      {open && <RawText id={id} origin={report.origin} of={report.since} />}
    </details>
  );
}

interface RawProps {
  id: string;
  origin: string;
  /** The time since which the hardware is this. The text that was read may be an older one. */
  of: string;
}

function RawText({ id, origin, of }: RawProps) {
  const query = useQuery<{ node: { facts: Array<{ origin: string; since: string; raw: unknown }> } | null }>(RAW, { id }, []);
  const found = query.data.value?.node?.facts.find((it) => it.origin === origin);
  useEffect(() => { if (found && found.since !== of) query.mark(); }, [of]);
  if (query.error.value) return <Failure error={query.error.value} again={() => void query.read()} />;
  if (!found) return <p class="waiting">Reading…</p>;
  const text = JSON.stringify(found.raw, null, 2);
  return (
    <>
      <p class="head"><Copy text={text}>Copy as JSON</Copy></p>
      <pre class="json" tabIndex={0} aria-label="The report as JSON">{text}</pre>
    </>
  );
}
