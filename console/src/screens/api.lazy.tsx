// The API itself: an editor for operations, with examples, the schema, and subscriptions as they happen. It needs
// nothing from elsewhere.
import { useEffect, useRef, useState } from 'preact/hooks';
import { ask, go, keyWords, number, say, setParams, url, useCommands } from '../shared.ts';
import { operationsOf } from '../parts/tokens.ts';
import { Coloured, Editor, insert } from './api-editor.tsx';
import { EXAMPLES } from './api-examples.ts';
import type { Example } from './api-examples.ts';
import { send, subscribe } from './api-run.ts';
import type { Sent } from './api-run.ts';
import { Schema } from './api-schema.tsx';

const KEPT = 'underlay-operation';
const MAX_EVENTS = 200;
const LONGEST_LINK = 8_000;

interface Kept { query: string; variables: string }

/** The operation of the address, otherwise the last one of this browser, otherwise the first example. */
function beginning(): Kept {
  const params = url.value.searchParams;
  const query = params.get('query');
  if (query !== null) return { query, variables: params.get('variables') ?? '' };
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? '') as Partial<Kept>;
    if (typeof kept.query === 'string' && kept.query.trim()) return { query: kept.query, variables: typeof kept.variables === 'string' ? kept.variables : '' };
  } catch {
    // Nothing is kept yet.
  }
  return { query: EXAMPLES[0]?.query ?? '', variables: '' };
}

function variablesOf(text: string): Record<string, unknown> | undefined {
  if (!text.trim()) return undefined;
  const values: unknown = JSON.parse(text);
  if (typeof values !== 'object' || values === null || Array.isArray(values)) throw new Error('they must be an object');
  return values as Record<string, unknown>;
}

export default function ApiScreen() {
  const [kept, setKept] = useState(beginning);
  const [chosen, setChosen] = useState('');
  const { answer, status, running, run, stop, say: tell } = useRunner();
  const field = useRef<HTMLTextAreaElement | null>(null);
  const operations = operationsOf(kept.query);
  const names = operations.map((it) => it.name).filter(Boolean);
  const operation = operations.find((it) => it.name === chosen) ?? operations[0];
  const change = (more: Partial<Kept>): void => {
    const next = { ...kept, ...more };
    setKept(next);
    localStorage.setItem(KEPT, JSON.stringify(next));
  };
  const start = (): void => {
    try {
      const variables = variablesOf(kept.variables);
      run({ query: kept.query, ...(variables ? { variables } : {}), ...(names.length > 1 && operation ? { operationName: operation.name } : {}) }, operation?.kind === 'subscription');
    } catch (error) {
      tell(`The variables are no JSON: ${error instanceof Error ? error.message : ''}`);
    }
  };
  const share = (): void => {
    const link = `${location.origin}/api?query=${encodeURIComponent(kept.query)}${kept.variables.trim() ? `&variables=${encodeURIComponent(kept.variables)}` : ''}`;
    if (link.length > LONGEST_LINK) return say('The operation is too long for a link.');
    void navigator.clipboard?.writeText(link).then(() => say('The link to this operation is copied.'), () => say('The browser does not allow copying.'));
  };
  const take = (example: Example): void => {
    stop();
    setChosen('');
    change({ query: example.query, variables: '' });
    if (url.value.searchParams.has('query')) go('/api', 'replace');
    if (example.variables) void found(example.variables).then((it) => change({ query: example.query, variables: it }));
  };
  useCommands({ run: running ? stop : start });
  return (
    <section class="api" aria-label="API">
      <Aside onTake={take} onInsert={(text) => { if (field.current) insert(field.current, text); }} current={kept.query} />
      <div class="api-column">
        <header class="api-bar">
          <h1>API</h1>
          <span class="grow" />
          {names.length > 1 && (
            <select aria-label="Operation to run" value={operation?.name ?? ''} onChange={(event) => setChosen(event.currentTarget.value)}>{names.map((it) => <option key={it}>{it}</option>)}</select>
          )}
          <button type="button" onClick={share}>Copy a link</button>
          <button type="button" class={operation?.kind === 'mutation' && !running ? 'danger' : 'main'} onClick={running ? stop : start}>
            {running ? 'Stop' : operation?.kind === 'mutation' ? 'Run, and write' : operation?.kind === 'subscription' ? 'Follow' : 'Run'} <kbd>{keyWords('Mod+enter')}</kbd>
          </button>
        </header>
        <Editor label="Operation" language="graphql" value={kept.query} onChange={(query) => change({ query })} field={field} />
        <h2 class="api-bar">Variables</h2>
        <div class="api-variables"><Editor label="Variables" language="json" value={kept.variables} onChange={(variables) => change({ variables })} /></div>
      </div>
      <div class="api-column">
        <header class="api-bar"><h2>Answer</h2><span class="grow" /><span class={status.bad ? 'bad' : 'quiet'} role="status">{status.text}</span></header>
        <pre class="api-answer" tabIndex={0} aria-label="Answer"><Coloured text={answer} language="json" /></pre>
      </div>
    </section>
  );
}

/** The values of an example's variables: the ids that a query finds. */
async function found(query: string): Promise<string> {
  try {
    const { data } = await ask<Record<string, { id: string } | null>>(query);
    return JSON.stringify(Object.fromEntries(Object.entries(data).map(([name, it]) => [name, it?.id ?? null])), null, 2);
  } catch {
    return '';
  }
}

function useRunner() {
  const [answer, setAnswer] = useState('');
  const [status, setStatus] = useState({ text: '', bad: false });
  const [running, setRunning] = useState(false);
  const end = useRef<(() => void) | null>(null);
  const finish = (): void => { end.current = null; setRunning(false); };
  const stop = (): void => { end.current?.(); finish(); };
  useEffect(() => () => end.current?.(), []);
  const follow = (sent: Sent): void => {
    const events: string[] = [];
    let count = 0;
    setAnswer('');
    setStatus({ text: 'following: waits for the first event', bad: false });
    end.current = subscribe(sent, {
      next: (text) => {
        count += 1;
        events.unshift(text);
        events.length = Math.min(events.length, MAX_EVENTS);
        setAnswer(events.join('\n'));
        setStatus({ text: `following: ${number(count)} ${count === 1 ? 'event' : 'events'}, the newest first`, bad: false });
      },
      ended: (error) => {
        finish();
        if (error) setAnswer([error, ...events].join('\n'));
        setStatus({ text: error ? 'ended with an error' : 'the server ended it', bad: error !== null });
      },
    });
  };
  const run = (sent: Sent, subscription: boolean): void => {
    stop();
    setRunning(true);
    if (subscription) return follow(sent);
    const abort = new AbortController();
    end.current = () => abort.abort();
    setStatus({ text: 'running', bad: false });
    send(sent, abort.signal).then(
      (it) => {
        const size = it.bytes < 10_000 ? `${number(it.bytes)} bytes` : `${number(Math.round(it.bytes / 1000))} kB`;
        setAnswer(it.text);
        setStatus({ text: `${it.errors > 0 ? `${it.errors} ${it.errors === 1 ? 'error' : 'errors'} · ` : ''}${number(Math.round(it.ms))} ms · ${size}`, bad: it.errors > 0 });
      },
      () => setStatus({ text: abort.signal.aborted ? 'stopped' : 'no answer: the server cannot be reached', bad: !abort.signal.aborted }),
    ).finally(finish);
  };
  return { answer, status, running, run, stop, say: (text: string) => setStatus({ text, bad: true }) };
}

function Aside({ onTake, onInsert, current }: { onTake(it: Example): void; onInsert(text: string): void; current: string }) {
  const schema = url.value.searchParams.get('show') === 'schema';
  return (
    <aside class="api-aside" aria-label="Examples and schema">
      <div class="views" role="group" aria-label="Show">
        <button type="button" aria-pressed={!schema} onClick={() => setParams({ show: null, type: null }, 'replace')}>Examples</button>
        <button type="button" aria-pressed={schema} onClick={() => setParams({ show: 'schema' }, 'replace')}>Schema</button>
      </div>
      {schema ? <Schema onInsert={onInsert} /> : (
        <ul class="schema">
          {EXAMPLES.map((it) => <li key={it.title}><button type="button" class="schema-type" aria-pressed={it.query === current} onClick={() => onTake(it)}><b>{it.title}</b><span class="quiet">{it.note}</span></button></li>)}
        </ul>
      )}
    </aside>
  );
}
