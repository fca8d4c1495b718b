// Tables as steps: each line of a CSV file is one object of a kind, and the header names its fields.
import { columnOf, valueOf } from './csv-cells.ts';
import type { Column } from './csv-cells.ts';
import type { WriteStep } from './items.ts';
import { CsvError, readCsv } from './read-csv.ts';
import type { CsvRecord } from './read-csv.ts';
import { kinds, segmentOf } from './registry.ts';
import type { Kind, Row } from './shape.ts';

/** Kinds whose objects can be written without a name. */
const UNNAMED = new Set(['Cable', 'Host', 'CircuitTermination']);
const IDENTITY = ['name', 'id', 'externalId'];
const MAX_PROBLEMS = 1_000;

/** Every problem of a table, each with its line. */
export class TableError extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(problems[0]);
    this.problems = problems;
  }
}

/** The kind that a file is named after: `devices.csv`, `power-feeds 2026.csv`. */
export function kindOfFile(name: string): Kind | undefined {
  const word = /^[a-z]+(?:[-_ ]?[a-z]+)*/i.exec(name.replace(/\.csv$/i, ''))?.[0].toLowerCase().replace(/[-_ ]/g, '') ?? '';
  const names = (it: Kind): string[] => [it.one.toLowerCase(), segmentOf(it).replaceAll('-', '')];
  return kinds().filter((it) => it.apply && names(it).some((one) => word === one)).at(0)
    ?? kinds().filter((it) => it.apply && names(it).some((one) => word.startsWith(one))).sort((a, b) => b.list.length - a.list.length).at(0);
}

/** The steps of a table. `note` gets the columns that are not written, if there are any. It throws a `TableError`. */
export function stepsOfTable(kind: Kind, text: string, note: (computed: string[]) => void = () => {}): WriteStep[] {
  let records: CsvRecord[];
  try {
    records = readCsv(text);
  } catch (error) {
    throw error instanceof CsvError ? new TableError([error.message]) : error;
  }
  const [header, ...lines] = records;
  if (!header) throw new TableError(['the file is empty: the first line must name the columns, such as name,site']);
  const columns = columnsOf(kind, header);
  const computed = columns.filter((it) => it.type.computed).map((it) => it.name);
  if (computed.length > 0) note(computed);
  const problems: string[] = [];
  const steps = lines.filter((it) => it.cells.some((cell) => cell.trim())).flatMap((it) => (problems.length < MAX_PROBLEMS ? stepOfLine(kind, columns, it, problems) : []));
  if (problems.length > 0) throw new TableError(problems);
  if (steps.length === 0) throw new TableError(['the file has only the names of columns: there is nothing to write']);
  return steps;
}

function columnsOf(kind: Kind, { line, cells }: CsvRecord): Column[] {
  const names = cells.map((it) => it.trim());
  if (names.length === 1 && /[;\t]/.test(names[0] ?? '')) throw new TableError([`line ${line}: the columns must be separated by commas, not by semicolons or tabs`]);
  const problems: string[] = [];
  const columns: Column[] = [];
  for (const [at, name] of names.entries()) {
    try {
      const twice = names.indexOf(name);
      if (twice < at && name) throw new Error(`${JSON.stringify(name)} is already column ${twice + 1}`);
      const column = columnOf(kind.name, name);
      const other = columns.find((it) => clash(it, column));
      if (other) throw new Error(`${JSON.stringify(name)} and ${JSON.stringify(other.name)} set the same value`);
      columns.push(column);
    } catch (error) {
      problems.push(`line ${line}, column ${at + 1}: ${(error as Error).message}`);
    }
  }
  if (!UNNAMED.has(kind.name) && !names.some((it) => IDENTITY.includes(it))) problems.push(`line ${line}: there is no column name, id or externalId to identify each ${kind.name}`);
  if (problems.length > 0) throw new TableError(problems);
  return columns;
}

/** True if one column is a part of the other. Columns such as `aEnds.port` and `aEnds.powerFeed` fill one list. */
function clash(a: Column, b: Column): boolean {
  if (a.type.computed || b.type.computed || (a.type.member && b.type.member)) return false;
  const [short, long] = a.path.length < b.path.length ? [a.path, b.path] : [b.path, a.path];
  return short.every((it, at) => it === long[at]);
}

function stepOfLine(kind: Kind, columns: Column[], { line, cells }: CsvRecord, problems: string[]): WriteStep[] {
  if (cells.length !== columns.length) {
    problems.push(`line ${line}: has ${cells.length} columns, but the header has ${columns.length}: a cell with a comma must be in quotation marks`);
    return [];
  }
  const item: Row = {};
  const before = problems.length;
  for (const [at, column] of columns.entries()) {
    try {
      const value = valueOf(cells[at] ?? '', column.type);
      if (value !== undefined) put(item, column.path, value);
    } catch (error) {
      problems.push(`line ${line}, column ${at + 1} (${column.name}): ${(error as Error).message}`);
    }
  }
  if (problems.length > before) return [];
  return [{ kind: kind.name, name: String(item.name ?? `line ${line}`), item: { [kind.one]: item } }];
}

function put(item: Row, path: string[], value: unknown): void {
  let inner = item;
  for (const it of path.slice(0, -1)) {
    if (!Object.hasOwn(inner, it)) inner[it] = {};
    inner = inner[it] as Row;
  }
  const last = path.at(-1) ?? '';
  const there = inner[last];
  // Ends of different kinds are in separate columns.
  inner[last] = Array.isArray(there) && Array.isArray(value) ? [...(there as unknown[]), ...(value as unknown[])] : value;
}
