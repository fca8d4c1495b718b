// Every document that is made from the registry fits the schema.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { buildSchema, parse, validate } from 'graphql';
import { columnsOf, firstColumns, HAS, kinds } from '../../src/kinds/registry.ts';
import { facetDocument, listDocument, lookupDocument, objectDocument, rowSelection, VIEWER } from '../../src/kinds/documents.ts';

const schema = buildSchema(readFileSync('../schema.graphql', 'utf8'));

function check(document: string): void {
  assert.deepEqual(validate(schema, parse(document)).map((it) => it.message), [], document);
}

for (const kind of kinds()) {
  test(`documents of ${kind.name}`, () => {
    const all = columnsOf(kind).map((it) => it.name);
    assert.ok(firstColumns(kind).includes('name'));
    check(listDocument({ kind }, `totalCount nodes { ${rowSelection(kind, all)} } pageInfo { endCursor }`));
    check(objectDocument(kind));
    if (HAS.facets) check(facetDocument({ kind }, 'name'));
    check(lookupDocument(kind, ['a']).document);
    check(lookupDocument(kind, ['a', 'b']).document);
    for (const field of kind.fields.filter((it) => it.is === 'many')) {
      const of = kinds().find((it) => it.name === field.of);
      assert.ok(of);
      const source = { kind: of, of: { kind: kind.name, id: 'x', field: field.name } };
      check(listDocument(source, `nodes { ${rowSelection(of, firstColumns(of))} }`));
    }
  });
}

test('the document of the caller', { skip: !HAS.viewer }, () => check(VIEWER));
