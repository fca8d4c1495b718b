// A timeline of events of hardware: by day, each with its part, what happened to it, and what was before and after.
import { number, pathOf, time, useState } from '../shared.ts';
import { changeWords, clockOf, daysOf, isAway, linesOf, subjectOf, toneOf } from './hardware-events.ts';
import type { HardwareEvent, HostName, Line } from './hardware-events.ts';

interface TimelineProps {
  events: readonly HardwareEvent[];
  /** The host of the page. Without it, each event names its host. */
  host?: string;
  /** The level of the headings of days. */
  level: 'h2' | 'h3';
}

export function Timeline({ events, host, level: Heading }: TimelineProps) {
  return (
    <div class="hardware-events">
      {daysOf(events).map((day) => (
        <section key={day.key} aria-label={day.title}>
          <Heading class="hardware-day">{day.title}</Heading>
          <ol>{day.events.map((it) => <li key={it.cursor}><Event it={it} host={host} /></li>)}</ol>
        </section>
      ))}
    </div>
  );
}

export const hardwarePath = (host: HostName): string => `${pathOf('Host', { ...host })}/hardware`;
const HostLink = ({ it }: { it: HostName }) => <a href={hardwarePath(it)}><bdi>{it.name}</bdi></a>;

function Event({ it, host }: { it: HardwareEvent; host: string | undefined }) {
  const { part, place } = subjectOf(it);
  const away = isAway(it, host);
  const lines = linesOf(it);
  return (
    <>
      <time dateTime={it.at} title={time(it.at)}>{clockOf(it.at)}</time>
      <div class="hardware-event">
        <div class="hardware-what">
          <span class={`state ${toneOf(it.change)}`}>{away ? 'Moved away' : changeWords(it.change, it.part)}</span>
          {host === undefined && <span class="hardware-host">{it.host ? <HostLink it={it.host} /> : <span class="quiet">a host that was deleted</span>}</span>}
          <span><b>{part}</b>{place && <> <code><bdi>{place}</bdi></code></>}</span>
          {away && it.host && <span>to <HostLink it={it.host} /></span>}
          {!away && it.fromHost && <span>from <HostLink it={it.fromHost} /></span>}
        </div>
        {lines.length > 0 && <ul class="diff">{lines.map((line) => <li key={line.title}><Change line={line} /></li>)}</ul>}
        {it.change === 'NOISY' && <p class="quiet">The host had more than 100 events within an hour. Further ones of this hour are not kept.</p>}
        {(it.before !== null || it.after !== null) && <Details it={it} name={`${part} ${place}`.trim()} />}
      </div>
    </>
  );
}

function Change({ line: { title, before, after } }: { line: Line }) {
  return (
    <>
      {title && <span class="what">{title}</span>}
      {before && <del><bdi>{before}</bdi></del>}
      {before && after && <span aria-hidden="true">→</span>}
      {after && (before ? <ins><bdi>{after}</bdi></ins> : <bdi>{after}</bdi>)}
    </>
  );
}

/** The part as it was reported before and after, for who looks closely. */
function Details({ it, name }: { it: HardwareEvent; name: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="quiet" aria-label={`Details of ${name}, ${clockOf(it.at)}`}>Details</summary>
      {open && (
        <div class="hardware-json">
          {([['Before', it.before], ['After', it.after]] as const).map(([title, value]) => value !== null && (
            <div key={title}>
              <p class="quiet">{title}</p>
              <pre class="json" tabIndex={0} aria-label={`${title}, as JSON`}>{JSON.stringify(value, null, 2)}</pre>
            </div>
          ))}
        </div>
      )}
    </details>
  );
}

/** The way to events that came earlier. It is never off, so that the keyboard stays on it. */
export const Earlier = ({ onMore }: { onMore(): void }) => <p class="hardware-earlier"><button type="button" onClick={onMore}>Show earlier events</button></p>;

/** An event as a sentence, for those who hear the page. */
export function told(it: HardwareEvent, withHost: boolean): string {
  const { part, place } = subjectOf(it);
  return `${withHost && it.host ? `${it.host.name}: ` : ''}${part} ${place}: ${changeWords(it.change, it.part)}`.replace(' :', ':');
}

export const comeWords = (count: number): string => `${number(count)} new ${count === 1 ? 'event' : 'events'}`;
