// The refusals of the server, at their objects and fields, each with a way on.
import { idOrPath, number, review, titleOf, titleOfCode, upright, words } from '../shared.ts';
import type { ApplyResult } from '../shared.ts';
import { More } from '../parts/more.tsx';
import { change, isConflict, leaveOut, takePresentVersions } from '../store/writes.lazy.ts';

export interface Refusal {
  result: ApplyResult;
  index: number;
}

/** Those that are not shown as conflicts. */
export function Refusals({ refused }: { refused: Refusal[] }) {
  const steps = review.value?.steps ?? [];
  const plain = refused.filter((it) => !isConflict(it.result, steps[it.index]));
  if (plain.length === 0) return null;
  const left = steps.length - plain.length;
  const stale = plain.some((it) => it.result.error?.code === 'STALE_VERSION');
  return (
    <section aria-label="Refused">
      <h2>Refused</h2>
      <p class="remedies">
        {stale && <button type="button" onClick={takePresentVersions}>Apply to what is there now</button>}
        {steps.length > 1 && <button type="button" onClick={() => leaveOut(plain.map((it) => it.index))}>{`Leave out ${plain.length === 1 ? 'the one' : `the ${number(plain.length)}`} and go on with ${number(left)}`}</button>}
      </p>
      <More of={plain} each={(it) => <li key={it.index} class="refused"><One refusal={it} single={steps.length === 1} /></li>} />
    </section>
  );
}

function One({ refusal: { result, index }, single }: { refusal: Refusal; single: boolean }) {
  const step = review.value?.steps[index];
  const { error } = result;
  const [kind, id, name] = [result.kind ?? step?.kind ?? '', result.id ?? step?.id, result.name ?? step?.name];
  return (
    <>
      <div class="object-head">
        <span class="state bad">{titleOfCode(error?.code ?? '')}</span>
        {id && step?.id ? <a href={idOrPath(kind, id)}><bdi>{name}</bdi></a> : <b><bdi>{name}</bdi></b>} <span class="quiet">{titleOf(kind)}</span>
        <span class="grow" />
        {!single && <button type="button" aria-label={`Leave out ${name}`} onClick={() => leaveOut([index])}>Leave out</button>}
      </div>
      <p>{error?.field && <b>{words(error.field)}: </b>}{upright(error?.message ?? '')}</p>
      {error?.code === 'IN_USE' && step && 'delete' in step.item && <Cascade index={index} />}
    </>
  );
}

/** Deletes what uses the object, too: the review then lists all of it. */
function Cascade({ index }: { index: number }) {
  const step = review.value?.steps[index];
  if ((step?.item.delete as { cascade?: boolean } | undefined)?.cascade) return <p>What belongs to it would be deleted, too. What is named here only refers to it, and has to be changed or deleted first.</p>;
  const also = (): void => {
    const steps = (review.value?.steps ?? []).map((it, at) => (
      at === index ? { ...it, item: { delete: { ...(it.item.delete as object), cascade: true } } } : it));
    change({ steps });
  };
  return <button type="button" class="danger" onClick={also}>Delete what belongs to it, too</button>;
}
