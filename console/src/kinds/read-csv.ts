// Reads comma-separated values as RFC 4180 and common programs write them, with the line of each record.

export interface CsvRecord {
  line: number;
  cells: string[];
}

export class CsvError extends Error {
  readonly line: number;
  constructor(line: number, message: string) {
    super(`line ${line}: ${message}`);
    this.line = line;
  }
}

/** The records of a text. Empty lines are none. */
export function readCsv(text: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  // Some editors write a byte order mark.
  let at = text.startsWith('\u{feff}') ? 1 : 0;
  let line = 1;
  let began = 1;
  let cells: string[] = [];
  let cell = '';
  const endCell = (): void => { cells.push(cell); cell = ''; };
  const endRecord = (): void => {
    endCell();
    if (cells.length > 1 || cells[0] !== '') records.push({ line: began, cells });
    cells = [];
  };
  const quoted = (): void => {
    const opened = line;
    for (at += 1; at < text.length; at += 1) {
      const it = text[at] ?? '';
      if (it === '"' && text[at + 1] === '"') at += 1;
      else if (it === '"') return;
      if (it === '\n' || (it === '\r' && text[at + 1] !== '\n')) line += 1;
      cell += it;
    }
    throw new CsvError(opened, 'a quotation mark is opened here and never closed');
  };
  for (; at < text.length; at += 1) {
    const it = text[at] ?? '';
    if (it === '"' && cell === '') quoted();
    else if (it === ',') endCell();
    else if (it === '\n' || it === '\r') {
      if (it === '\r' && text[at + 1] === '\n') at += 1;
      endRecord();
      line += 1;
      began = line;
    } else cell += it;
  }
  endRecord();
  return records;
}
