// What changed in the hardware of one host, on its page.
import { Failure, useEffect } from '../shared.ts';
import { useHardwareEvents } from './hardware-follow.ts';
import { Earlier, Timeline, told } from './hardware-timeline.tsx';

/** The facts are beneath, so only the newest are there at first. */
const FIRST = 5;

/** `onCome`: something has changed just now. */
export function HostEvents({ id, onCome }: { id: string; onCome(): void }) {
  const log = useHardwareEvents({ host: id }, FIRST);
  const come = log.come.value;
  useEffect(() => { if (come) onCome(); }, [come]);
  const events = log.events.value;
  if (log.isHidden.value || (!events && !log.error.value)) return null;
  return (
    <section aria-label="Events">
      <h2 class="sub">Events<a class="hardware-sum" href={`/hardware-events?host=${id}`}>Filter these</a></h2>
      {log.error.value && <Failure error={log.error.value} again={log.again} />}
      {events?.length === 0 && <p class="quiet">Nothing has changed since the first report. What changes between two reports appears here.</p>}
      <p class="hidden" role="status">{come ? told(come, false) : ''}</p>
      <Timeline events={events ?? []} host={id} level="h3" />
      {log.more.value && <Earlier onMore={() => void log.earlier()} />}
    </section>
  );
}
