// Splits GraphQL and JSON into pieces that have a colour. Pure; every character of the text is in one piece.

export type Tone = '' | 'key' | 'string' | 'number' | 'word' | 'comment';
export interface Token {
  text: string;
  tone: Tone;
}

const GRAPHQL = /(#.*)|("""[^]*?(?:"""|$)|"(?:\\.|[^"\\\n])*"?)|(\$\w+|\b[A-Z][A-Z_\d]+\b)|\b(query|mutation|subscription|fragment|on|true|false|null)\b|(-?\b\d[\d.]*)/g;
const JSON_TEXT = /("(?:\\.|[^"\\])*")(?=\s*:)|("(?:\\.|[^"\\])*"?)|\b(true|false|null)\b|(-?\b\d[\d.eE+-]*)/g;
const GRAPHQL_TONES: Tone[] = ['comment', 'string', 'key', 'word', 'number'];
const JSON_TONES: Tone[] = ['key', 'string', 'word', 'number'];
/** Colours cost time in proportion to the text: beyond this there are none. */
export const MAX_COLOURED = 120_000;

export function tokensOf(text: string, language: 'graphql' | 'json'): Token[] {
  if (text.length > MAX_COLOURED) return [{ text, tone: '' }];
  const tones = language === 'graphql' ? GRAPHQL_TONES : JSON_TONES;
  const tokens: Token[] = [];
  let last = 0;
  for (const match of text.matchAll(language === 'graphql' ? GRAPHQL : JSON_TEXT)) {
    if (match.index > last) tokens.push({ text: text.slice(last, match.index), tone: '' });
    const which = match.slice(1).findIndex((it) => it !== undefined);
    tokens.push({ text: match[0], tone: tones[which] ?? '' });
    last = match.index + match[0].length;
  }
  if (last < text.length) tokens.push({ text: text.slice(last), tone: '' });
  return tokens;
}

export interface Operation {
  kind: 'query' | 'mutation' | 'subscription';
  /** Empty for an operation without a name. */
  name: string;
}

const KINDS = new Set<string>(['query', 'mutation', 'subscription']);

/** The operations of a document, in their order. */
export function operationsOf(document: string): Operation[] {
  const plain = tokensOf(document.slice(0, MAX_COLOURED), 'graphql').filter((it) => it.tone !== 'comment' && it.tone !== 'string');
  const pieces = plain.map((it) => it.text).join(' ').match(/[{}()]|[$\w]+/g) ?? [];
  const operations: Operation[] = [];
  let depth = 0;
  // The words before the braces of a definition: `query`, and its name.
  let words: string[] = [];
  for (const piece of pieces) {
    if (piece === '{' && depth === 0) {
      const kind = words[0] ?? 'query';
      if (KINDS.has(kind)) operations.push({ kind: kind as Operation['kind'], name: words[1] ?? '' });
      words = [];
    }
    if (piece === '{' || piece === '(') depth += 1;
    else if (piece === '}' || piece === ')') depth = Math.max(0, depth - 1);
    else if (depth === 0) words.push(piece);
  }
  return operations;
}
