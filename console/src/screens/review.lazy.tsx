// Every write ends here: what would change, by object, and what the server refuses; then it is written.
import { Act, Failure, number, onEvents, reached, refusal, review, say, titleOf, useEffect, words } from '../shared.ts';
import type { ApplyResult } from '../shared.ts';
import { attempt, busy, change, giveUp, plan, planError, proposeUndo, refusedFiles, write } from '../store/writes.lazy.ts';
import { More } from '../parts/more.tsx';
import { Changes } from './review-changes.tsx';
import { Conflicts } from './review-conflicts.tsx';
import { Refusals } from './review-refused.tsx';

export function ReviewScreen() {
  const it = review.value;
  useEffect(() => { document.title = 'Review · Underlay'; }, []);
  useEffect(() => { if (it && !plan.value) void attempt(); }, [it?.requestId]);
  useEffect(() => onEvents((events) => {
    const ours = new Set(plan.value?.payload.results.map((one) => one.id));
    if (events === 'everything' || events.some((one) => ours.has(one.objectId))) void attempt();
  }), []);
  useEffect(() => () => { refusedFiles.value = null; }, []);
  if (refusedFiles.value) return <RefusedFiles />;
  if (!it) return <section class="page"><h1>Review</h1><p class="empty">There is nothing to review. Edits, deletions, and manifests and tables that are dropped on the window come here before they are written.</p></section>;
  const results = plan.value?.payload.results ?? [];
  const refused = results.flatMap((one, index) => (one.error ? [{ result: one, index }] : []));
  return (
    <section class="page review" aria-label="Review">
      <header class="head">
        <h1><bdi>{it.title}</bdi>{it.without ? `, without ${number(it.without)}` : ''}</h1>
        <span class="grow" />
        {it.gathers && !it.sent && <a class="button" href={it.back}>Add to it</a>}
        <button type="button" onClick={giveUp} disabled={busy.value === 'writing'}>Discard</button>
        {!it.sent && <WriteButton refused={refused.length} />}
      </header>
      {it.sent ? <Unanswered /> : (
        <>
          <p class="verdict" role="status">{verdict(refused.length)}</p>
          {planError.value && <Failure error={planError.value} again={() => void attempt()} />}
          {it.force && <p class="remedies">Fields that sources hold are taken over. <button type="button" onClick={() => change({ force: false })}>Leave them to their sources</button></p>}
          <Conflicts results={results} />
          <Refusals refused={refused} />
        </>
      )}
      {refused.length === 0 && <Changes changes={plan.value?.payload.changes ?? []} />}
      <Skipped results={results} />
    </section>
  );
}

/** All that is wrong with files, to mend them at once. */
function RefusedFiles() {
  const { title, problems } = refusedFiles.value ?? { title: '', problems: [] };
  return (
    <section class="page review" aria-label="Review">
      <header class="head">
        <h1><bdi>{title}</bdi></h1>
        <span class="grow" />
        {review.value && <button type="button" onClick={() => { refusedFiles.value = null; }}>Back to the review of before</button>}
      </header>
      <p class="verdict" role="status">{problems.length === 1 ? 'There is a problem with the file' : `There are ${number(problems.length)} problems`}. Nothing was sent to the server.</p>
      <More of={problems} each={(it, at) => <li key={at} class="refused"><bdi>{it}</bdi></li>} />
    </section>
  );
}

function verdict(refused: number): string {
  const count = review.value?.steps.length ?? 0;
  if (!plan.value) return planError.value ? 'It is not known yet what would change.' : `The server tries ${count === 1 ? 'the change' : `${number(count)} changes`} without writing…`;
  if (refused > 0) return `The server refuses ${number(refused)} of ${number(count)} ${count === 1 ? 'object' : 'objects'}. Nothing is written until that is solved.`;
  return plan.value.payload.changes.length === 0 ? 'This would change nothing.' : 'This is what would be written. Nothing has been written yet.';
}

async function submit(): Promise<void> {
  const revision = await write();
  if (revision !== null) say(`Written as revision ${revision}.`, { title: 'Undo', run: () => void proposeUndo(revision, revision) });
}

function WriteButton({ refused }: { refused: number }) {
  const count = plan.value?.payload.changes.length ?? 0;
  const forbidden = refusal('apply');
  if (forbidden) return <Act class="main" refusal={forbidden} onClick={() => {}}>Write</Act>;
  return (
    <button type="button" class="main" disabled={busy.value !== null || refused > 0 || count === 0} onClick={() => void submit()}>
      {count === 0 ? 'Write' : count === 1 ? 'Write 1 change' : `Write ${number(count)} changes`}
    </button>
  );
}

/** A write that was sent: while the answer is awaited, and when none came. */
function Unanswered() {
  const { steps = [] } = review.value ?? {};
  if (busy.value === 'writing') return <p class="verdict" role="status">The server writes {number(steps.length)} {steps.length === 1 ? 'object' : 'objects'}…</p>;
  return (
    <section aria-label="No answer" class="failure" role="alert">
      <b>The write has no answer</b>
      <span>
        {planError.value ? planError.value.code !== 'NETWORK' && planError.value.message : 'The page was left before the answer came.'} It is not known whether the server
        has written it. It is kept here, and sending it again writes it once at most. If you discard it, the changes show whether it was written. {reached.value ? 'The server can be reached.' : 'The server cannot be reached now.'}
      </span>
      <button type="button" class="main" onClick={() => void submit()}>Send it again</button>
      {!plan.value && <More of={steps} each={(it, at) => <li key={at}>{titleOf(it.kind)} <b><bdi>{it.name}</bdi></b>: {fieldsOf(it.item)}</li>} />}
    </section>
  );
}

function fieldsOf(item: Record<string, unknown>): string {
  const [[member, value] = ['', {}]] = Object.entries(item);
  if (member === 'delete') return 'delete';
  return Object.keys(value as object).filter((it) => it !== 'id' && it !== 'ifVersion').map((it) => words(it).toLowerCase()).join(', ');
}

function Skipped({ results }: { results: ApplyResult[] }) {
  const skipped = results.filter((it) => it.skipped.length > 0);
  if (skipped.length === 0) return null;
  return (
    <section aria-label="Skipped">
      <h2>{number(skipped.length)} skipped, as others hold these fields</h2>
      <More of={skipped} each={(it) => <li key={it.id}><bdi>{it.name}</bdi>: {it.skipped.map((one, at) => <>{at > 0 && ', '}{words(one.field)} (<bdi>{one.manager}</bdi>)</>)}</li>} />
      <button type="button" onClick={() => change({ force: true })}>Take them over</button>
    </section>
  );
}
