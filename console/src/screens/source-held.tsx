// The objects that a held run would remove, the fields that it would empty or replace, and the two ways out.
import { useState } from 'preact/hooks';
import { Act, asRefused, Dialog, enumWords, Failure, number, pathOf, pluralOf, say, titleOf, words } from '../shared.ts';
import type { Refused } from '../shared.ts';
import { denialOf, order } from '../store/may.ts';
import { approvalOf, approveVerb, countsOf, fateOf } from './source-words.ts';
import type { Held } from './source-words.ts';

export interface HeldRun { id: string; heldCount: number; renumbered: boolean; held: Held[] }

const MAX_LISTED = 200;

export function HeldPart({ run, source, prune, onDone }: { run: HeldRun; source: string; prune: string; onDone(): void }) {
  const [shown, setShown] = useState<'approve' | 'adopt' | 'reject' | null>(null);
  const why = denialOf('approveRun') ?? denialOf('rejectRun');
  const counts = countsOf(run.held);
  const act = (which: 'approve' | 'adopt' | 'reject', title: string, name = '') => <Act class={name} refusal={why} onClick={() => setShown(which)}>{title}…</Act>;
  return (
    <section class="held" aria-label="Held">
      <h3>Held: {number(run.heldCount)} {run.heldCount === 1 ? 'change' : 'changes'} that nobody has approved</h3>
      {run.renumbered && <p>At least half of these seem to be objects to which the source gave new ids. They can keep everything and take the new ids.</p>}
      <p>{counts.map((it) => [it.gone > 0 ? `${number(it.gone)} ${pluralOf(it.kind).toLowerCase()} gone` : '', it.emptied > 0 ? `${number(it.emptied)} fields of ${pluralOf(it.kind).toLowerCase()} emptied` : '', it.replaced > 0 ? `${number(it.replaced)} fields of ${pluralOf(it.kind).toLowerCase()} replaced` : ''].filter(Boolean).join(', ')).join(' · ')}</p>
      <ul class="held-list" tabIndex={0} aria-label="What is held">
        {run.held.slice(0, MAX_LISTED).map((it) => (
          <li key={`${it.id} ${it.field}`}>
            <span class="thing"><span class="thing-kind">{titleOf(it.kind)}</span><a href={pathOf(it.kind, { id: it.id })}><bdi>{it.name}</bdi></a></span>
            <span class="quiet">{it.field ? `${words(it.field)} ${fateOf(it)}` : it.reason === 'RENUMBERED' ? 'has another id in the source now' : 'is gone from the source'}</span>
          </li>
        ))}
        {run.heldCount > MAX_LISTED && <li class="quiet">and {number(run.heldCount - MAX_LISTED)} more</li>}
      </ul>
      <div class="orders">
        {run.renumbered && act('adopt', 'Give them the new ids', 'main')}
        {act('approve', 'Approve', run.renumbered ? undefined : 'danger')}
        {act('reject', 'Reject')}
      </div>
      {shown && <Decide which={shown} run={run} source={source} prune={prune} onClose={() => setShown(null)} onDone={onDone} />}
    </section>
  );
}

interface DecideProps {
  which: 'approve' | 'adopt' | 'reject';
  run: HeldRun;
  source: string;
  prune: string;
  onClose(): void;
  onDone(): void;
}

function Decide({ which, run: given, source, prune, onClose, onDone }: DecideProps) {
  // The run that the reader saw when the dialog opened.
  const [run] = useState(given);
  const [error, setError] = useState<Refused | null>(null);
  const [waiting, setWaiting] = useState(false);
  const adopt = which === 'adopt';
  const title = which === 'reject' ? `Reject what is held of ${source}` : `Approve what is held of ${source}`;
  const give = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (waiting) return;
    setWaiting(true);
    try {
      const [mutation, input, value] = which === 'reject' ? ['rejectRun', 'RejectRunInput', { run: run.id }] as const : ['approveRun', 'ApproveRunInput', { run: run.id, adopt }] as const;
      const done = await order<{ run: { state: string } }>(mutation, input, value, 'run { state }', false);
      say(`${which === 'reject' ? 'Rejected' : 'Approved'}. The run is ${enumWords(done.run.state).toLowerCase()} now.`);
      onClose();
      onDone();
    } catch (thrown) {
      setError(asRefused(thrown));
    }
    setWaiting(false);
  };
  return (
    <Dialog title={title} class="order" onClose={onClose}>
      <form onSubmit={(event) => void give(event)}>
        <header class="order-head"><h2>{title}</h2><button type="button" class="plain" onClick={onClose} aria-label="Close without deciding">✕</button></header>
        <div class="order-what">
          {which === 'reject'
            ? <><p>Nothing is removed or emptied.</p><p>The next full run is judged anew, and is held again if the source still lacks these.</p></>
            : approvalOf(run.held, run.heldCount, prune, adopt).map((it) => <p key={it}>{it}</p>)}
        </div>
        {error && <Failure error={error} />}
        <footer>
          <button type="button" onClick={onClose}>Decide later</button>
          <button type="submit" class={which === 'approve' ? 'danger' : 'main'} disabled={waiting}>{which === 'reject' ? 'Reject, remove nothing' : approveVerb(run.held, run.heldCount, adopt)}</button>
        </footer>
      </form>
    </Dialog>
  );
}
