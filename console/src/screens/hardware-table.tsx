// What all sections of a report have in common: the heading, what could not be read, and tables of parts.
import type { ComponentChildren } from 'preact';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { isReported, lackOf, needsRoot, notesOf } from './hardware-data.ts';
import type { HeldPart, Report } from './hardware-data.ts';
import { partPath } from './part-path.ts';

/** The report in which a section stands. Where a host has several of them, their sections need names that differ. */
interface Around {
  /** The end of the names of sections, such as `, reported by the BMC`. */
  suffix: string;
  level: 'h2' | 'h3';
  /** The parts of the host that have a page. */
  parts: readonly HeldPart[];
}
export const AroundSections = createContext<Around>({ suffix: '', level: 'h2', parts: [] });

export interface Column<T> {
  title: string;
  /** The value; null, or an empty text, if it was not reported. */
  of(it: T): ComponentChildren;
  numeric?: boolean;
}

interface SectionProps {
  report: Report;
  name: string;
  title: string;
  /** The section in a few words, such as its sum. */
  sum?: string | undefined;
  children: ComponentChildren;
}

/** A section, if the report has it. */
export function Section({ report, name, title, sum, children }: SectionProps) {
  const { suffix, level: Heading } = useContext(AroundSections);
  if (!isReported(report, name)) return null;
  const lack = lackOf(report, name);
  const notes = notesOf(report, name);
  return (
    <section aria-label={title + suffix}>
      <Heading class="sub">{title}{sum && <span class="hardware-sum">{sum}</span>}</Heading>
      {lack && (
        <div class="host-note hardware-lack">
          <b>Not everything could be read.</b> What is absent here may still be there.
          <ul>{lack.unread.map((it) => <li key={`${it.what} ${it.reason}`}><code><bdi>{it.what}</bdi></code>: <bdi>{it.reason}</bdi></li>)}</ul>
          {report.origin === 'AGENT' && needsRoot(lack) && <p>Run the agent as root.</p>}
        </div>
      )}
      {notes.length > 0 && <ul class="host-note hardware-notes">{notes.map((it) => <li key={`${it.about} ${it.text}`}><b><bdi>{it.about}</bdi></b>: <bdi>{it.text}</bdi>.</li>)}</ul>}
      {children}
    </section>
  );
}

interface TableProps<T> {
  label: string;
  rows: readonly T[];
  columns: ReadonlyArray<Column<T>>;
  keyOf(it: T): string | number;
  isBad?(it: T): boolean;
  /** What is said of columns that no row has a value for. */
  absent?: string;
}

export const isEmpty = (value: ComponentChildren): boolean => value === null || value === undefined || value === false || value === '';

/** The title of a column within a sentence. Acronyms stay. */
const unsetWord = (title: string): string => (/^[A-Z]{2}/.test(title) ? title : title.toLowerCase());

/** A table of parts. A column that no part has a value for is named below instead. */
export function Table<T>({ label, rows, columns, keyOf, isBad, absent = 'Not reported' }: TableProps<T>) {
  const { suffix } = useContext(AroundSections);
  if (rows.length === 0) return <p class="quiet">None found.</p>;
  const shown = columns.filter((it, at) => at === 0 || rows.some((row) => !isEmpty(it.of(row))));
  const unset = columns.filter((it) => !shown.includes(it));
  return (
    <>
      <div class="scroll" tabIndex={0} role="group" aria-label={label + suffix}>
        <table class="units hardware-table">
          <thead><tr>{shown.map((it) => <th scope="col" key={it.title} class={it.numeric ? 'numeric' : undefined}>{it.title}</th>)}</tr></thead>
          <tbody>
            {rows.map((row) => (
              <tr key={keyOf(row)} class={isBad?.(row) ? 'bad' : undefined}>
                {shown.map((it, at) => (at === 0
                  ? <th scope="row" key={it.title}>{it.of(row)}</th>
                  : <td key={it.title} class={it.numeric ? 'numeric' : undefined}>{it.of(row)}</td>))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {unset.length > 0 && <p class="unset">{absent}: {unset.map((it) => unsetWord(it.title)).join(', ')}.</p>}
    </>
  );
}

export const text = (value: string | null): ComponentChildren => (value === null || value === '' ? null : <bdi>{value}</bdi>);
/** Serial numbers and addresses are read letter by letter. */
export const code = (value: string | null): ComponentChildren => (value === null ? null : <code><bdi>{value}</bdi></code>);

/** The serial number of a part, which leads to its life if the server recognises the part. */
export function Serial({ kind, serial }: { kind: string; serial: string }) {
  const { parts } = useContext(AroundSections);
  const isKnown = parts.some((it) => it.kind === kind && it.serial === serial);
  return isKnown ? <a href={partPath(serial)}>{code(serial)}</a> : <>{code(serial)}</>;
}
