// Every write ends here: what would change, by object, and what the server refuses; then it is written.
import {
  enumWords, Failure, follow, idOrPath, number, say, titleOf, titleOfCode, useEffect, useState, words,
} from '../shared.ts';
import type { ApplyResult, ItemChange } from '../shared.ts';
import {
  attempt, busy, change, giveUp, leaveOut, Lines, linesOf, plan, planError, proposeUndo, review, takePresentVersions, write,
} from '../store/writes.lazy.ts';

/** How many objects are shown at first, and more at each step. */
const SHOWN = 100;
/** Groups up to this number are unfolded. */
const OPEN = 20;

export function ReviewScreen() {
  const it = review.value;
  useEffect(() => {
    if (it && !plan.value) void attempt();
  }, []);
  useEffect(() => follow((events) => {
    const ours = new Set(plan.value?.payload.results.map((one) => one.id));
    if (events === 'everything' || events.some((one) => ours.has(one.objectId))) void attempt();
  }), []);
  if (!it) return <section class="page"><h1>Review</h1><p class="empty">There is nothing to review. Edits, deletions and manifests that are dropped on the window come here before they are written.</p></section>;
  const results = plan.value?.payload.results ?? [];
  const refused = results.flatMap((one, index) => (one.error ? [{ result: one, index }] : []));
  return (
    <section class="page review" aria-label="Review">
      <header class="head">
        <h1>{it.title}</h1>
        <span class="grow" />
        <button type="button" onClick={giveUp}>Discard</button>
        <WriteButton refused={refused.length} />
      </header>
      <p class="verdict" role="status">{verdict(refused.length)}</p>
      {planError.value && <Failure error={planError.value} again={() => void attempt()} />}
      {refused.length > 0 && <Refusals refused={refused} />}
      {refused.length === 0 && <Changes changes={plan.value?.payload.changes ?? []} />}
      <Skipped results={results} />
    </section>
  );
}

function verdict(refused: number): string {
  if (busy.value === 'writing') return 'Writing…';
  if (!plan.value) return 'Trying what would change…';
  if (refused > 0) return `The server refuses ${refused === 1 ? 'one object' : `${number(refused)} objects`}. Nothing is written until that is solved.`;
  const count = plan.value.payload.changes.length;
  return count === 0 ? 'This would change nothing.' : 'This is what would be written. Nothing has been written yet.';
}

function WriteButton({ refused }: { refused: number }) {
  const count = plan.value?.payload.changes.length ?? 0;
  const submit = async (): Promise<void> => {
    const revision = await write();
    if (revision !== null) say(`Written as revision ${revision}.`, { title: 'Undo', run: () => void proposeUndo(revision, revision) });
  };
  return (
    <button type="button" class="main" disabled={busy.value !== null || refused > 0 || count === 0} onClick={() => void submit()}>
      {count === 1 ? 'Write 1 change' : `Write ${number(count)} changes`}
    </button>
  );
}

function Refusals({ refused }: { refused: Array<{ result: ApplyResult; index: number }> }) {
  const codes = new Set(refused.map((it) => it.result.error?.code));
  return (
    <section aria-label="Refused">
      <h2>Refused</h2>
      <p class="remedies">
        {codes.has('MANAGED_ELSEWHERE') && <button type="button" onClick={() => change({ force: true })}>Take over fields that sources hold</button>}
        {codes.has('STALE_VERSION') && <button type="button" onClick={takePresentVersions}>Apply to what is there now</button>}
        {refused.length > 1 && <button type="button" onClick={() => change({ steps: (review.value?.steps ?? []).filter((_, at) => !refused.some((it) => it.index === at)) })}>Leave out all that are refused</button>}
      </p>
      <ul class="objects">
        {refused.slice(0, SHOWN).map(({ result, index }) => {
          const step = review.value?.steps[index];
          return (
            <li key={index} class="refused">
              <div class="object-head">
                <span class="state bad">{titleOfCode(result.error?.code ?? '')}</span>
                <b><bdi>{result.name ?? step?.name}</bdi></b> <span class="quiet">{titleOf(result.kind ?? step?.kind ?? '')}</span>
                <span class="grow" />
                <button type="button" onClick={() => leaveOut(index)}>Leave out</button>
              </div>
              <p>{result.error?.field && <b>{words(result.error.field)}: </b>}{result.error?.message}</p>
              {result.error?.code === 'IN_USE' && step && 'delete' in step.item && <Cascade index={index} />}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Deletes what uses the object, too: the review then lists all of it. */
function Cascade({ index }: { index: number }) {
  const also = (): void => {
    const steps = (review.value?.steps ?? []).map((it, at) => (
      at === index ? { ...it, item: { delete: { ...(it.item.delete as object), cascade: true } } } : it));
    change({ steps });
  };
  return <button type="button" class="danger" onClick={also}>Delete what belongs to it, too</button>;
}

const keyOf = (it: ItemChange): string => `${it.operation} ${it.kind} ${it.operation === 'UPDATED' ? JSON.stringify(it.after) : ''}`;

/** Objects that change in the same way stand together. */
function Changes({ changes }: { changes: ItemChange[] }) {
  const [most, setMost] = useState(SHOWN);
  const groups = new Map<string, ItemChange[]>();
  for (const it of changes) groups.set(keyOf(it), [...(groups.get(keyOf(it)) ?? []), it]);
  return (
    <ul class="objects">
      {[...groups.values()].slice(0, most).map((it) => {
        const [first] = it;
        return first && <li key={keyOf(first)}>{it.length === 1 ? <Single change={first} /> : <Many changes={it} />}</li>;
      })}
      {groups.size > most && <li><button type="button" onClick={() => setMost(most + SHOWN)}>Show {number(Math.min(SHOWN, groups.size - most))} more of {number(groups.size)}</button></li>}
    </ul>
  );
}

const TONES = { CREATED: 'good', UPDATED: 'plan', DELETED: 'bad' };

function Single({ change: it }: { change: ItemChange }) {
  return (
    <>
      <div class="object-head">
        <span class={`state ${TONES[it.operation]}`}>{enumWords(it.operation)}</span>
        <ObjectLink change={it} />
      </div>
      {it.operation !== 'DELETED' && <Lines kind={it.kind} lines={linesOf(it.before as never, it.after as never)} created={it.operation === 'CREATED'} />}
    </>
  );
}

function ObjectLink({ change: it }: { change: ItemChange }) {
  return it.operation === 'CREATED' ? <b><bdi>{it.path}</bdi></b> : <a href={idOrPath(it.kind, it.id)}><bdi>{it.path}</bdi></a>;
}

function Many({ changes }: { changes: ItemChange[] }) {
  const [first] = changes;
  if (!first) return null;
  return (
    <details open={changes.length <= OPEN}>
      <summary class="object-head">
        <span class={`state ${TONES[first.operation]}`}>{enumWords(first.operation)}</span>
        <b>{number(changes.length)} × {titleOf(first.kind)}</b>
        {first.operation === 'UPDATED' && <Lines kind={first.kind} lines={linesOf({}, first.after as never)} />}
      </summary>
      <ul class="objects">{changes.slice(0, SHOWN * 10).map((it) => <li key={it.id}><Single change={it} /></li>)}</ul>
    </details>
  );
}

function Skipped({ results }: { results: ApplyResult[] }) {
  const skipped = results.filter((it) => it.skipped.length > 0);
  if (skipped.length === 0) return null;
  return (
    <section aria-label="Skipped">
      <h2>Skipped, as others hold these fields</h2>
      <ul class="objects">
        {skipped.slice(0, SHOWN).map((it) => <li key={it.id}><bdi>{it.name}</bdi>: {it.skipped.map((one) => `${words(one.field)} (${one.manager})`).join(', ')}</li>)}
      </ul>
      <button type="button" onClick={() => change({ force: true })}>Take them over</button>
    </section>
  );
}
