// Takes a list out of the page: as a file, or as the command or query that gives it.
import { asRefused, listDocument, number, rowSelection, say, signal, useEffect, useRef } from '../shared.ts';
import type { Row, Source } from '../shared.ts';
import { allRows, cellsOf, columnOf, manifestOf, tableColumns, tableLine, yaml } from '../store/writes.lazy.ts';
import type { Item } from '../store/writes.lazy.ts';

interface Form {
  title: string;
  ending: string;
  type: string;
  /** The selection for each row. */
  selection(source: Source): string;
  head(source: Source): string;
  row(source: Source, row: Row): string;
}

const FORMS: Form[] = [
  {
    title: 'CSV, with the columns that are shown', ending: 'csv', type: 'text/csv',
    selection: (it) => `${rowSelection(it.kind, it.columns.filter((name) => columnOf(it.kind.name, name).type.computed))} item`,
    head: (it) => tableLine(tableColumns(it.kind.name, it.columns).map((column) => column.name)),
    row: (it, row) => tableLine(cellsOf(tableColumns(it.kind.name, it.columns), row)),
  },
  {
    title: 'JSON lines, with the columns that are shown', ending: 'jsonl', type: 'application/jsonl',
    selection: (it) => rowSelection(it.kind, it.columns),
    head: () => '', row: (it, row) => `${JSON.stringify({ id: row.id, name: row.name, ...Object.fromEntries(it.columns.map((name) => [name, row[name]])) })}\n`,
  },
  {
    title: 'Manifests, for underlay apply -f', ending: 'yaml', type: 'application/yaml',
    selection: () => 'item', head: () => '', row: (it, row) => `---\n${yaml(manifestOf(it.kind, row.item as Item))}`,
  },
];

function download(name: string, type: string, parts: Blob[]): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(parts, { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** The command line for the list. Its filter is one argument, in quotes of a POSIX shell. */
export function commandOf(source: Source): string {
  const filter = source.filter ? ` --filter '${JSON.stringify(source.filter).replaceAll("'", "'\\''")}'` : '';
  return `underlay get ${source.kind.list}${filter}`;
}

function queryOf(source: Source): string {
  const variables = { ...(source.of ? { id: source.of.id } : {}), filter: source.filter, order: source.order, first: 50 };
  const document = listDocument(source, `totalCount nodes { ${rowSelection(source.kind, source.columns)} } pageInfo { endCursor hasNextPage }`);
  return `${document}\n\n# variables\n${JSON.stringify(variables, null, 2)}\n`;
}

interface Run {
  id: string;
  file: string;
  rows: number;
}

/** The export that runs. It goes on when its menu is closed. */
const running = signal<Run | null>(null);
const stop = (): void => { running.value = null; };

/** Reads the list page by page. The browser keeps each page as a part of the file, so that no long text is made of them. */
async function save(source: Source, form: Form): Promise<boolean> {
  const run: Run = { id: crypto.randomUUID(), file: `${source.kind.list}.${form.ending}`, rows: 0 };
  const isStopped = (): boolean => running.peek()?.id !== run.id;
  const parts = [new Blob([form.head(source)])];
  running.value = run;
  try {
    for await (const page of allRows(source, form.selection(source))) {
      if (isStopped()) return false;
      parts.push(new Blob([page.map((it) => form.row(source, it)).join('')]));
      run.rows += page.length;
      running.value = { ...run };
    }
    download(run.file, form.type, parts);
    say(`${run.file} has ${number(run.rows)} ${run.rows === 1 ? 'row' : 'rows'}.`);
    return true;
  } catch (error) {
    say(`${run.file} was not written. ${asRefused(error).message}`);
    return false;
  } finally {
    if (!isStopped()) stop();
  }
}

export function Export({ source, close }: { source: Source; close(): void }) {
  const run = running.value;
  const shown = useRef(true);
  useEffect(() => () => { shown.current = false; }, []);
  const copy = (text: string): void => {
    navigator.clipboard?.writeText(text).then(() => say('Copied.'), () => say('The browser does not allow copying.'));
    close();
  };
  return (
    <div class="export">
      <h2>Everything that fits, as a file</h2>
      {FORMS.map((it) => <button type="button" key={it.ending} disabled={run !== null} onClick={() => void save(source, it).then((done) => { if (done && shown.current) close(); })}>{it.title}</button>)}
      {run && <p class="remedies"><span role="status">{run.file}: {number(run.rows)} rows read</span> <button type="button" onClick={stop}>Stop</button></p>}
      <h2>How to ask for it</h2>
      {!source.of && <button type="button" onClick={() => copy(commandOf(source))}>Copy the command</button>}
      <button type="button" onClick={() => copy(queryOf(source))}>Copy the GraphQL query</button>
      {!source.of && <pre class="json" tabIndex={0} aria-label="The command">{commandOf(source)}</pre>}
    </div>
  );
}
