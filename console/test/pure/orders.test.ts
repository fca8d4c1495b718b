// Orders of lists: those that any list can have, and those that a long one cannot.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { chosenOrder, keyOrderWords, MAX_SORTED, orderOfColumn } from '../../src/kinds/orders.ts';
import { kindOf } from '../../src/kinds/registry.ts';
import type { Kind } from '../../src/kinds/shape.ts';

const kind = (name: string): Kind => kindOf(name) as Kind;
const LONG = MAX_SORTED + 1;

test('a column has the order of its name, up, down, and none', () => {
  const order = (sort: string) => chosenOrder(kind('Rack'), new URLSearchParams(sort && { sort }));
  const next = (sort: string) => orderOfColumn(kind('Rack'), 'heightU', order(sort), 10);
  assert.deepEqual(next(''), { sort: undefined, next: 'HEIGHT_U', off: false });
  assert.deepEqual(next('HEIGHT_U'), { sort: 'ascending', next: 'HEIGHT_U.DESC', off: false });
  assert.deepEqual(next('HEIGHT_U.DESC'), { sort: 'descending', next: null, off: false });
  assert.equal(orderOfColumn(kind('Rack'), 'labels', null, 10), undefined);
  assert.equal(order('COLOUR'), null);
});

test('a long list has the orders that the server keeps indexes for', () => {
  const port = kind('Port');
  assert.deepEqual(orderOfColumn(port, 'name', null, LONG), { sort: undefined, next: 'KEY', off: false });
  assert.deepEqual(orderOfColumn(port, 'name', { by: 'KEY', direction: 'ASC' }, LONG), { sort: 'ascending', next: 'KEY.DESC', off: false });
  assert.equal(orderOfColumn(port, 'updatedAt', null, LONG)?.off, false);
  assert.equal(orderOfColumn(port, 'speedBps', null, LONG)?.off, true);
  // An order that was chosen while the list was shorter can be taken back.
  assert.equal(orderOfColumn(port, 'name', { by: 'NAME', direction: 'DESC' }, LONG)?.next, null);
});

test('the order by key is named after what contains the object', () => {
  assert.deepEqual(['Port', 'Device', 'Cable'].map((it) => keyOrderWords(kind(it))), ['by name within each device', 'by name within each site', 'by name']);
});
