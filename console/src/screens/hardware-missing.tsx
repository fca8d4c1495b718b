// The hardware that a host has less of than is expected, and the way to accept what it has.
import { useState } from 'preact/hooks';
import { lazy } from '../shared.ts';
import { denialOf } from '../store/may.ts';
import type { DialogProps } from './hardware-acts.lazy.tsx';
import type { Machine } from './hardware-data.ts';
import { amountWords, demandWords, measureTitle } from './hardware-missing.ts';
import { Ago } from './token-words.tsx';

const Acknowledge = lazy<DialogProps>(async () => (await import('./hardware-acts.lazy.tsx')).AcknowledgeDialog, 'over');

/** Nothing can be missing, or acknowledged, before the agent has reported. */
export function MissingPart({ host, onDone }: { host: Machine; onDone(): void }) {
  const [asked, setAsked] = useState(false);
  if (!host.facts.some((it) => it.origin === 'AGENT')) return null;
  const { missingHardware: missing, acknowledgedHardware: accepted } = host;
  const may = denialOf('acknowledgeHardware') === undefined;
  if (missing.length === 0 && accepted === null && !may) return null;
  return (
    <section aria-label="Expected hardware" class={missing.length > 0 ? 'host-note hardware-lack hardware-missing' : undefined}>
      <h2 class="sub">{missing.length > 0 ? 'Hardware is missing' : 'Expected hardware'}</h2>
      {missing.length > 0 && (
        <ul>
          {missing.map((it) => <li key={`${it.measure} ${it.demand}`}><b>{measureTitle(it.measure)}</b>: {amountWords(it)}, {demandWords(it, host.class?.name ?? null)}.</li>)}
        </ul>
      )}
      <p>
        {missing.length === 0 && 'No hardware is missing. '}
        {accepted === null
          ? <span class="quiet">Nobody has acknowledged what the host should have{host.class ? ', beyond what its class demands' : ''}.</span>
          : <span class="quiet">What the host should have was acknowledged <Ago at={accepted.at} /> by <bdi>{accepted.by}</bdi>.</span>}
      </p>
      {may && <p class="hardware-acts"><button type="button" onClick={() => setAsked(true)}>Acknowledge the hardware…</button></p>}
      {asked && <Acknowledge host={host} onDone={onDone} onClose={() => setAsked(false)} />}
    </section>
  );
}
