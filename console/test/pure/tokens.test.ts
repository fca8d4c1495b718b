import { test } from 'node:test';
import assert from 'node:assert/strict';
import { operationsOf, tokensOf } from '../../src/parts/tokens.ts';

test('no character is lost', () => {
  for (const text of ['', 'query A($x: ID!) { a(b: "c \\" d", e: 1.5) # f\n }', '"""open', '{ a', 'ü {"k": [1, -2.5e3, null, "x"]}', '"<script>"']) {
    for (const language of ['graphql', 'json'] as const) assert.equal(tokensOf(text, language).map((it) => it.text).join(''), text);
  }
});

test('words have their colour', () => {
  const tones = (text: string, language: 'graphql' | 'json'): string[] => tokensOf(text, language).filter((it) => it.tone).map((it) => `${it.tone} ${it.text}`);
  assert.deepEqual(tones('query A { a(by: NAME, first: 3) }', 'graphql'), ['word query', 'key NAME', 'number 3']);
  assert.deepEqual(tones('{"a": "b", "c": 1, "d": null}', 'json'), ['key "a"', 'string "b"', 'key "c"', 'number 1', 'key "d"', 'word null']);
});

test('operations are found', () => {
  const table: Array<[string, string]> = [
    ['{ revision }', 'query '],
    ['query { a }', 'query '],
    ['query A { query { mutation } }', 'query A'],
    ['# mutation X { }\nmutation B($a: In = {b: 1}) { c(d: {e: "} query Z {"}) { f } }', 'mutation B'],
    ['query A { ...F } fragment F on T { subscription } subscription C { d }', 'query A, subscription C'],
    ['query', ''],
    ['}} { a', 'query '],
  ];
  for (const [document, expected] of table) assert.equal(operationsOf(document).map((it) => `${it.kind} ${it.name}`).join(', '), expected, document);
});
