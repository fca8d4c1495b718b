// The source board: the health of each source, its runs, what is held, and what may be the same machine as another.
import { useState } from 'preact/hooks';
import { Act, asRefused, ask, EnumValue, enumWords, Failure, number, pathOf, refusal, say, setParams, since, time, titleOf, url, wrote } from '../shared.ts';
import type { Refused } from '../shared.ts';
import { usePaced } from '../store/paced.ts';
import { HeldPart } from './source-held.tsx';
import type { HeldRun } from './source-held.tsx';
import { every, healthWords, lasted } from './source-words.ts';

const RUN = 'id mode state startedAt finishedAt seen created updated unchanged retired deleted released failed skippedFields heldCount';
const LIST = `query Sources { sources(first: 500) { totalCount nodes { id name type health interval paused lastSuccessAt suspectCount lastRun { ${RUN} } } } }`;
const ONE = `query SourceLife($id: ID!) { node(id: $id) { ... on Source {
  id name type url interval prune paused health version lastSuccessAt suspectCount limits { share count }
  runs(first: 20) { nodes { ${RUN} errors { externalId code message } } }
  holdingRuns(first: 10) { id heldCount renumbered held(first: 1000) { kind id name externalId reason field value } }
  suspects(first: 50) { kind externalId at }
  suggestions(first: 50) { path otherPath by value object { ... on Device { id } ... on Host { id } } other { ... on Device { id } ... on Host { id } } }
} } }`;
/** Runs make no revision, so the feed does not tell of them. */
const PACE_MS = 5_000;

interface Run {
  id: string; mode: string; state: string; startedAt: string; finishedAt: string | null; seen: number; created: number; updated: number; unchanged: number;
  retired: number; deleted: number; released: number; failed: number; skippedFields: number; heldCount: number;
}
type WholeRun = Run & { errors: Array<{ externalId: string | null; code: string; message: string }> };
interface Short { id: string; name: string; type: string; health: string; interval: number; paused: boolean; lastSuccessAt: string | null; suspectCount: number; lastRun: Run | null }
interface Whole extends Omit<Short, 'lastRun'> {
  url: string | null; prune: string; version: number; limits: { share: number; count: number };
  runs: { nodes: WholeRun[] } | null;
  /** The runs with which something is held, whatever became of them. */
  holdingRuns: HeldRun[];
  suspects: Array<{ kind: string; externalId: string; at: string }>;
  suggestions: Array<{ path: string; otherPath: string; by: string; value: string; object: { id?: string } | null; other: { id?: string } }>;
}

const WORST = ['HELD', 'FAILING', 'STALE', 'NEVER', 'PAUSED', 'FRESH'];

export default function SourcesBoard() {
  const query = usePaced<{ sources: { totalCount: number; nodes: Short[] } }>(LIST, {}, ['Source'], PACE_MS);
  const all = [...(query.data.value?.sources.nodes ?? [])].sort((a, b) => WORST.indexOf(a.health) - WORST.indexOf(b.health) || a.name.localeCompare(b.name));
  const asked = url.value.searchParams.get('source');
  const chosen = all.find((it) => it.name === asked) ?? all[0];
  return (
    <section class="page wide" aria-label="Source board">
      <header class="page-head">
        <h1>Source board <span class="count">{query.data.value ? number(query.data.value.sources.totalCount) : '…'}</span></h1>
        <p class="quiet">Outside systems that keep their part of the inventory true, those that need somebody first.</p>
      </header>
      {query.error.value && <Failure error={query.error.value} again={() => void query.read()} />}
      {query.data.value && all.length === 0 && <p class="empty">There are no sources. A synchronizer makes one, for example <code>underlay sync files DIR</code>.</p>}
      {chosen && (
        <div class="analysis sources">
          <nav class="basket" aria-label="Sources">
            <ul>
              {all.map((it) => (
                <li key={it.id}>
                  <a class="source-link" href={`/sources-board?source=${encodeURIComponent(it.name)}`} aria-current={it.id === chosen.id ? 'true' : undefined}
                    onClick={(event) => { event.preventDefault(); setParams({ source: it.name }, 'replace'); }}>
                    <bdi>{it.name}</bdi><EnumValue field="health" value={it.health} />
                    <span class="quiet">{it.type} · {it.lastSuccessAt ? `read ${since(it.lastSuccessAt)}` : 'never read'}</span>
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <SourceLife id={chosen.id} key={chosen.id} />
        </div>
      )}
    </section>
  );
}

function SourceLife({ id }: { id: string }) {
  const query = usePaced<{ node: Whole | null }>(ONE, { id }, ['Source'], PACE_MS);
  if (query.error.value) return <Failure error={query.error.value} again={() => void query.read()} />;
  const it = query.data.value?.node;
  if (!it) return <p class="waiting">{query.data.value ? 'This source does not exist any more.' : 'Reading…'}</p>;
  const runs = it.runs?.nodes ?? [];
  return (
    <div class="found source-life">
      <header class="page-head">
        <h2><a href={pathOf('Source', it as never)}><bdi>{it.name}</bdi></a></h2>
        <EnumValue field="health" value={it.health} />
        <span class="quiet">{it.type} · {every(it.interval)} · {it.prune === 'KEEP' ? 'removes nothing' : `${enumWords(it.prune).toLowerCase()}s what is gone`} · at most {number(it.limits.share * 100)} % or {number(it.limits.count)} of a kind a day</span>
        <span class="grow" />
        <Pause it={it} onDone={() => query.mark()} />
      </header>
      <p>{healthWords(it.health)}</p>
      {it.holdingRuns.map((run) => <HeldPart key={run.id} run={run} source={it.name} prune={it.prune} onDone={() => query.mark()} />)}
      <section aria-label="Runs"><h3>Last runs</h3><Runs runs={runs} /></section>
      {it.suspectCount > 0 && (
        <section aria-label="Suspects">
          <h3>{number(it.suspectCount)} not found between runs</h3>
          <p class="quiet">Only the next full run judges them.</p>
          <ul class="held-list">{it.suspects.map((one) => <li key={`${one.kind} ${one.externalId}`}><span>{titleOf(one.kind)} <bdi>{one.externalId}</bdi></span><span class="quiet">{since(one.at)}</span></li>)}</ul>
        </section>
      )}
      {it.suggestions.length > 0 && (
        <section aria-label="Suggestions">
          <h3>{number(it.suggestions.length)} may be one machine with another object</h3>
          <p class="quiet">Nothing is joined by itself: give one of the two the external reference of the other, and delete the other.</p>
          <ul class="held-list">
            {it.suggestions.map((one) => (
              <li key={one.path + one.otherPath + one.by}>
                <span><Suggested path={one.path} id={one.object?.id} /> and <Suggested path={one.otherPath} id={one.other.id} /></span>
                <span class="quiet">both have {enumWords(one.by)} <bdi>{one.value}</bdi></span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Suggested({ path, id }: { path: string; id: string | undefined }) {
  const [kind = '', ...rest] = path.split('/');
  const name = rest.join('/');
  return <>{kind} {id ? <a href={pathOf(kind[0]?.toUpperCase() + kind.slice(1), { id })}><bdi>{name}</bdi></a> : <bdi>{name}</bdi>}</>;
}

function Pause({ it, onDone }: { it: Whole; onDone(): void }) {
  const [error, setError] = useState<Refused | null>(null);
  const change = (): void => {
    const document = 'mutation Pause($id: ID!, $paused: Boolean!) { updateSource(id: $id, patch: {paused: $paused}) { revision } }';
    ask<{ updateSource: { revision: number | null } }>(document, { id: it.id, paused: !it.paused }).then(
      ({ data, revision }) => {
        setError(null);
        wrote(data.updateSource.revision ?? revision);
        say(it.paused ? `${it.name} goes on.` : `${it.name} is paused: no run starts until it goes on.`);
        onDone();
      },
      (thrown) => setError(asRefused(thrown)),
    );
  };
  return error ? <Failure error={error} again={change} /> : <Act refusal={refusal('updateSource')} onClick={change}>{it.paused ? 'Let it go on' : 'Pause'}</Act>;
}

const NUMBERS = ['seen', 'created', 'updated', 'unchanged', 'retired', 'deleted', 'released', 'failed', 'skippedFields'] as const;
const HEADS: Record<typeof NUMBERS[number], string> = {
  seen: 'Seen', created: 'Created', updated: 'Updated', unchanged: 'Same', retired: 'Retired', deleted: 'Deleted', released: 'Released', failed: 'Refused', skippedFields: 'Fields kept',
};

function Runs({ runs }: { runs: WholeRun[] }) {
  if (runs.length === 0) return <p class="quiet">No run yet.</p>;
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Last runs">
      <table class="counts runs">
        <thead><tr><th scope="col">Started</th><th scope="col">State</th><th scope="col">Took</th>{NUMBERS.map((it) => <th scope="col" key={it}>{HEADS[it]}</th>)}</tr></thead>
        <tbody>
          {runs.flatMap((run) => [
            <tr key={run.id}>
              <th scope="row"><time dateTime={run.startedAt} title={time(run.startedAt)}>{since(run.startedAt)}</time>{run.mode === 'PARTIAL' && <span class="quiet"> part</span>}</th>
              <td><EnumValue field="state" value={run.state} /></td>
              <td>{lasted(run.startedAt, run.finishedAt) || 'runs'}</td>
              {NUMBERS.map((it) => <td key={it} class={it === 'failed' && run[it] > 0 ? 'bad' : run[it] === 0 ? 'quiet' : undefined}>{number(run[it])}</td>)}
            </tr>,
            ...(run.errors.length > 0 ? [<tr key={`${run.id} errors`}><td colSpan={3 + NUMBERS.length} class="errors"><Errors errors={run.errors} /></td></tr>] : []),
          ])}
        </tbody>
      </table>
    </div>
  );
}

/** The errors of a run, each once: an item that is tried again is refused again. */
function Errors({ errors }: { errors: WholeRun['errors'] }) {
  const once = new Map(errors.map((it) => [`${it.externalId} ${it.message}`, it]));
  return (
    <details>
      <summary>{number(once.size)} {once.size === 1 ? 'error' : 'errors'}: <bdi>{[...once.values()][0]?.message}</bdi></summary>
      <ul>{[...once.values()].map((it) => <li key={`${it.externalId} ${it.message}`}><bdi>{it.externalId ?? ''}</bdi> <bdi>{it.message}</bdi> <code>{it.code}</code></li>)}</ul>
    </details>
  );
}
