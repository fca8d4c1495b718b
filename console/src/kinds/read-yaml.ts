// Reads the part of YAML that manifests are written in: maps and lists in block and flow style, quoted and plain texts,
// literal and folded blocks, comments, several documents. Anything else (anchors, tags, complex keys) is refused with
// its line.

interface Line {
  number: number;
  indent: number;
  text: string;
}

export class YamlError extends Error {
  readonly line: number;
  constructor(line: number, message: string) {
    super(`line ${line}: ${message}`);
    this.line = line;
  }
}

/** Cuts a comment off, but not a # inside quotes or a word. */
function withoutComment(text: string): string {
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const it = text[at];
    if (quote) {
      if (it === '\\' && quote === '"') at += 1;
      else if (it === quote) quote = '';
    } else if ((it === '"' || it === "'") && (at === 0 || /[\s,[{:-]/.test(text[at - 1] ?? ''))) quote = it;
    else if (it === '#' && (at === 0 || /\s/.test(text[at - 1] ?? ''))) return text.slice(0, at).trimEnd();
  }
  return text.trimEnd();
}

/** The position of the colon that ends a key, or -1. */
function keyEnd(text: string): number {
  const quoted = /^("(?:\\.|[^"\\])*"|'(?:''|[^'])*')\s*:(?=\s|$)/.exec(text);
  if (quoted) return quoted[0].length - 1;
  if (/^["'[{]/.test(text)) return -1;
  const plain = /:(?=\s|$)/.exec(text);
  return plain ? plain.index : -1;
}

function scalar(text: string, line: number): unknown {
  if (text === '' || text === '~' || /^null$/i.test(text)) return null;
  if (/^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  if (/^[-+]?(\d+|\d*\.\d+|\d+\.\d*)([eE][-+]?\d+)?$/.test(text)) return Number(text);
  if (text.startsWith('"')) return double(text, line);
  if (text.startsWith("'")) {
    if (!/^'(?:''|[^'])*'$/.test(text)) throw new YamlError(line, 'the quotes do not end');
    return text.slice(1, -1).replaceAll("''", "'");
  }
  if (/^[&*!|>%@`]/.test(text)) throw new YamlError(line, `${text[0]} is not supported here`);
  return text;
}

function double(text: string, line: number): string {
  try {
    return JSON.parse(text.replaceAll(/\\x([\da-fA-F]{2})/g, '\\u00$1').replaceAll('\t', '\\t')) as string;
  } catch {
    throw new YamlError(line, 'the text in quotes cannot be read');
  }
}

/** Flow style: `{a: 1, b: [x, "y"]}`. */
class Flow {
  private at = 0;
  private readonly text: string;
  private readonly line: number;
  constructor(text: string, line: number) {
    this.text = text;
    this.line = line;
  }

  all(): unknown {
    const value = this.value();
    this.space();
    if (this.at < this.text.length) throw new YamlError(this.line, `unexpected ${this.text.slice(this.at, this.at + 10)}`);
    return value;
  }

  private space(): void {
    while (/\s/.test(this.text[this.at] ?? '')) this.at += 1;
  }

  private value(): unknown {
    this.space();
    if (this.text[this.at] === '{') return this.map();
    if (this.text[this.at] === '[') return this.list();
    return scalar(this.word(/[,\]}]/), this.line);
  }

  private word(end: RegExp): string {
    this.space();
    const quoted = /^("(?:\\.|[^"\\])*"|'(?:''|[^'])*')/.exec(this.text.slice(this.at));
    const from = this.at;
    if (quoted) this.at += quoted[0].length;
    else while (this.at < this.text.length && !end.test(this.text[this.at] ?? '')) this.at += 1;
    return this.text.slice(from, this.at).trim();
  }

  private list(): unknown[] {
    const made: unknown[] = [];
    this.at += 1;
    while (!this.ends(']')) made.push(this.value());
    return made;
  }

  private map(): Record<string, unknown> {
    const made: Record<string, unknown> = {};
    this.at += 1;
    while (!this.ends('}')) {
      const key = String(scalar(this.word(/[:,}]/), this.line));
      this.space();
      if (this.text[this.at] !== ':') throw new YamlError(this.line, `a value is missing after ${key}`);
      this.at += 1;
      made[key] = this.value();
    }
    return made;
  }

  /** Passes a comma, and answers true at the end. */
  private ends(close: string): boolean {
    this.space();
    if (this.text[this.at] === ',') this.at += 1;
    this.space();
    if (this.at >= this.text.length) throw new YamlError(this.line, `${close} is missing`);
    if (this.text[this.at] !== close) return false;
    this.at += 1;
    return true;
  }
}

class Document {
  private at = 0;
  private readonly lines: Line[];
  private readonly raw: string[];
  constructor(lines: Line[], raw: string[]) {
    this.lines = lines;
    this.raw = raw;
  }

  all(): unknown {
    const first = this.lines[0];
    if (!first) return null;
    const value = this.node(first.indent);
    const left = this.lines[this.at];
    if (left) throw new YamlError(left.number, 'this is not indented as what is around it');
    return value;
  }

  private node(indent: number): unknown {
    const line = this.lines[this.at];
    if (!line || line.indent < indent) return null;
    if (line.text === '-' || line.text.startsWith('- ')) return this.list(line.indent);
    if (keyEnd(line.text) >= 0) return this.map(line.indent);
    this.at += 1;
    return this.inline(line.text, line);
  }

  private list(indent: number): unknown[] {
    const made: unknown[] = [];
    for (let line = this.lines[this.at]; line && line.indent === indent && /^-(\s|$)/.test(line.text); line = this.lines[this.at]) {
      const rest = line.text.slice(1).trimStart();
      if (rest === '') {
        this.at += 1;
        made.push(this.node(indent + 1));
      } else {
        // The text after the dash counts as a line of its own, with the indentation that it has.
        this.lines[this.at] = { number: line.number, indent: indent + line.text.length - rest.length, text: rest };
        made.push(this.node(indent + 1));
      }
    }
    return made;
  }

  private map(indent: number): Record<string, unknown> {
    const made: Record<string, unknown> = {};
    for (let line = this.lines[this.at]; line && line.indent === indent; line = this.lines[this.at]) {
      const end = keyEnd(line.text);
      if (end < 0) throw new YamlError(line.number, 'a key with a colon is expected');
      const key = String(scalar(line.text.slice(0, end).trim(), line.number));
      if (Object.hasOwn(made, key)) throw new YamlError(line.number, `${key} stands here twice`);
      const rest = line.text.slice(end + 1).trim();
      this.at += 1;
      made[key] = rest === '' ? this.beneath(indent) : this.inline(rest, line);
    }
    return made;
  }

  /** The value of a key that stands on the lines after it. A list may stand as far in as its key. */
  private beneath(indent: number): unknown {
    const next = this.lines[this.at];
    if (!next || next.indent < indent) return null;
    if (next.indent === indent) return /^-(\s|$)/.test(next.text) ? this.list(indent) : null;
    return this.node(next.indent);
  }

  private inline(text: string, line: Line): unknown {
    const block = /^([|>])([-+]?)$/.exec(text);
    if (block) return this.block(block[1] ?? '|', block[2] ?? '', line);
    if (/^[[{]/.test(text)) return new Flow(text, line.number).all();
    return scalar(text, line.number);
  }

  private block(style: string, chomp: string, line: Line): string {
    const held: string[] = [];
    let number = line.number;
    for (; number < this.raw.length; number += 1) {
      const text = this.raw[number] ?? '';
      if (text.trim() !== '' && text.length - text.trimStart().length <= line.indent) break;
      held.push(text);
    }
    while (this.lines[this.at] && (this.lines[this.at]?.number ?? 0) <= number) this.at += 1;
    const least = Math.min(...held.filter((it) => it.trim() !== '').map((it) => it.length - it.trimStart().length));
    const body = held.map((it) => it.slice(Number.isFinite(least) ? least : 0)).join(style === '|' ? '\n' : ' ').trimEnd();
    return chomp === '-' ? body : `${body}\n`;
  }
}

/** The documents of a text. */
export function readYaml(text: string): unknown[] {
  const raw = text.replaceAll('\r\n', '\n').split('\n');
  const documents: unknown[] = [];
  let lines: Line[] = [];
  const end = (): void => {
    if (lines.length > 0) documents.push(new Document(lines, raw).all());
    lines = [];
  };
  raw.forEach((it, index) => {
    if (/^(---|\.\.\.)(\s|$)/.test(it)) { end(); return; }
    if (/^\s*\t/.test(it)) throw new YamlError(index + 1, 'tabs cannot indent');
    const bare = withoutComment(it);
    if (bare.trim() !== '') lines.push({ number: index + 1, indent: bare.length - bare.trimStart().length, text: bare.trim() });
  });
  end();
  return documents;
}
