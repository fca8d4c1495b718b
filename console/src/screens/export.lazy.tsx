// Takes a list out of the page: as a file, or as the command or query that gives it.
import { asRefused, listDocument, number, rowSelection, say, useState } from '../shared.ts';
import type { Row, Source } from '../shared.ts';
import { allRows, csvLine, manifestOf, yaml } from '../store/writes.lazy.ts';
import type { Item } from '../store/writes.lazy.ts';

interface Form {
  title: string;
  ending: string;
  type: string;
  /** What is asked of each row. */
  selection(source: Source): string;
  head(source: Source): string;
  row(source: Source, row: Row): string;
}

const FORMS: Form[] = [
  {
    title: 'CSV, with the columns that are shown', ending: 'csv', type: 'text/csv',
    selection: (it) => rowSelection(it.kind, it.columns),
    head: (it) => csvLine(it.columns), row: (it, row) => csvLine(it.columns.map((name) => row[name])),
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

function download(name: string, type: string, parts: string[]): void {
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

export function Export({ source, close }: { source: Source; close(): void }) {
  const [count, setCount] = useState<number | null>(null);
  const save = async (form: Form): Promise<void> => {
    const parts = [form.head(source)];
    setCount(0);
    try {
      let rows = 0;
      for await (const page of allRows(source, form.selection(source))) {
        rows += page.length;
        parts.push(page.map((it) => form.row(source, it)).join(''));
        setCount(rows);
      }
      download(`${source.kind.list}.${form.ending}`, form.type, parts);
      close();
    } catch (error) {
      say(asRefused(error).message);
    }
    setCount(null);
  };
  const copy = (text: string): void => {
    navigator.clipboard?.writeText(text).then(() => say('Copied.'), () => say('The browser does not allow copying.'));
    close();
  };
  return (
    <div class="export">
      <h3>Everything that fits, as a file</h3>
      {FORMS.map((it) => <button type="button" key={it.ending} disabled={count !== null} onClick={() => void save(it)}>{it.title}</button>)}
      {count !== null && <p role="status">{number(count)} rows read</p>}
      <h3>How to ask for it</h3>
      {!source.of && <button type="button" onClick={() => copy(commandOf(source))}>Copy the command</button>}
      <button type="button" onClick={() => copy(queryOf(source))}>Copy the GraphQL query</button>
      {!source.of && <pre class="json" tabIndex={0} aria-label="The command">{commandOf(source)}</pre>}
    </div>
  );
}
