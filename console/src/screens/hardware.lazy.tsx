// The hardware of a host, as the agent on it reported: when it was last heard, what changed, the parts, and the token that it
// has.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { currentRoute, Failure, go, lazy, pathOf, since, time, trail, url, useCommands, useQuery, useResolved, viewer } from '../shared.ts';
import type { Kind } from '../shared.ts';
import { Copy } from '../parts/copy.tsx';
import { usePaced } from '../store/paced.ts';
import { cablingAlarm } from './hardware-cabling.ts';
import { CablingPart, useCabling } from './hardware-cabling.tsx';
import { alarmsOf, DOCUMENT, originTitle, RAW, reportedBy, silenceOf } from './hardware-data.ts';
import type { Machine, Report } from './hardware-data.ts';
import { HostEvents } from './hardware-host-events.tsx';
import { MissingPart } from './hardware-missing.tsx';
import { DevicesPart, GpusPart, NeighboursPart } from './hardware-more.tsx';
import { DisksPart, InterfacesPart, MemoryPart, ProcessorsPart, SystemPart } from './hardware-parts.tsx';
import { AroundSections } from './hardware-table.tsx';
import { TokenPart } from './hardware-token.tsx';

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
  const cabling = useCabling(id, PACE_MS);
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
  const expected = <MissingPart host={host} onDone={() => void query.read()} key="expected" />;
  const events = <HostEvents id={host.id} key="events" onCome={() => { query.mark(); cabling.mark(); }} />;
  const cabled = <CablingPart query={cabling} key="cabling" />;
  const alarms = cablingAlarm(cabling.data.value?.node?.cabling ?? []);
  const several = host.facts.length > 1;
  return (
    <section class="page hardware" aria-label={`Hardware of ${host.name}`}>
      <header class="page-head">
        <h1>Hardware of <bdi>{host.name}</bdi></h1>
        <a class="button" href={path}>Details</a>
      </header>
      {failed}
      {host.facts.length === 0 && <Nothing host={host} />}
      {several && <Alarms all={alarms} />}
      {host.missingHardware.length > 0 && expected}
      {host.facts.length !== 1 && events}
      {host.facts.map((it) => (several
        ? <Origin report={it} host={host} key={it.origin} />
        : <AroundSections value={{ suffix: '', level: 'h2', parts: host.parts ?? [] }} key={it.origin}><Facts report={it} host={host} alarms={alarms} events={events} cabling={cabled} /></AroundSections>))}
      {several && cabled}
      {host.missingHardware.length === 0 && expected}
      {token}
      {host.facts.map((it) => !viewer.value?.tenant && <Raw key={it.origin} id={host.id} report={it} title={several ? `${reportedBy(it.origin)}, as it was sent` : 'The report as it was sent'} />)}
    </section>
  );
}

/** One of several reports: each origin says what it sees, and nothing is merged. */
function Origin({ report, host }: { report: Report; host: Machine }) {
  const title = reportedBy(report.origin);
  const suffix = `, ${title[0]?.toLowerCase()}${title.slice(1)}`;
  return (
    <section class="hardware-origin" aria-label={title}>
      <h2>{title}</h2>
      <AroundSections value={{ suffix, level: 'h3', parts: host.parts ?? [] }}><Facts report={report} host={host} /></AroundSections>
    </section>
  );
}

const Alarms = ({ all }: { all: string[] }) => (all.length > 0 ? <ul class="hardware-alarms">{all.map((it) => <li key={it}>{it}</li>)}</ul> : null);

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

interface FactsProps {
  report: Report;
  host: Machine;
  /** What is about the host and not about one of its reports, where it has a single one. */
  alarms?: string[];
  events?: ComponentChildren;
  cabling?: ComponentChildren;
}

function Facts({ report, host, alarms = [], events, cabling }: FactsProps) {
  const stale = report.origin === 'AGENT' ? isStale(host) : report.stale;
  const silence = silenceOf(report);
  return (
    <>
      <dl class="fields hardware-head">
        <div><dt>Last heard</dt><dd><span><b><time dateTime={report.receivedAt}>{since(report.receivedAt)}</time></b> {stale && <Stale />} <span class="quiet">{time(report.receivedAt)}</span></span></dd></div>
        <div><dt>Unchanged since</dt><dd><span><time dateTime={report.since}>{since(report.since)}</time> <span class="quiet">{time(report.since)}</span></span></dd></div>
        <div><dt>Reported by</dt><dd><span>{originTitle(report.origin)} {report.agentVersion}</span></dd></div>
      </dl>
      {stale && <p class="host-note hardware-lack">{report.origin === 'BMC'
        ? 'No controller could read the BMC for three days: what is below may be old. The history of the host says why.'
        : 'The agent was not heard for three times as long as it usually waits: what is below may be old.'}</p>}
      {report.origin === 'RECORDER' && <p class="host-note">The recorder reads the hardware again only when it is restarted, and says itself which machine it is on.</p>}
      {report.origin === 'BMC' && <p class="host-note">A controller reads the BMC once a day, and when somebody asks for it.</p>}
      <Alarms all={[...alarmsOf(report), ...alarms]} />
      {events}
      <SystemPart report={report} />
      <ProcessorsPart report={report} />
      <MemoryPart report={report} />
      <DisksPart report={report} />
      <GpusPart report={report} />
      <InterfacesPart report={report} />
      {cabling}
      <NeighboursPart report={report} />
      <DevicesPart report={report} />
      {silence && <p class="unset hardware-silence">{silence}</p>}
    </>
  );
}

/** The report as it was sent. It can be large, so it is read when somebody opens it. */
function Raw({ id, report, title }: { id: string; report: Report; title: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="hardware-raw" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
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
