import assert from 'node:assert/strict';
import { test } from 'node:test';
import './screen.mjs';

const { unitsLeft } = await import('../files/screens/orders/cancel_lines.js');
const { unsaid } = await import('../files/parts/form.js');

test('units that are canceled, fulfilled or in a parcel that waits cannot be canceled', () => {
  const line = { id: 'a', quantity: 10, canceledQuantity: 1, fulfilledQuantity: 2 };
  const parcel = (status, orderLine, quantity) => ({ status, items: [{ orderLine, quantity }] });
  assert.equal(unitsLeft(line, []), 7);
  assert.equal(unitsLeft(line, [parcel('pending', 'a', 3), parcel('pending', 'b', 4), parcel('shipped', 'a', 2)]), 4);
  assert.equal(unitsLeft(line, [parcel('pending', 'a', 9)]), 0);
});

test('each error that no input says is listed', () => {
  const errors = /** @type {[string, string][]} */ ([['name', 'is missing'], ['code', 'is missing'], ['file', 'has no rows']]);
  assert.deepEqual(unsaid(errors, ['is missing']), [['code', 'is missing'], ['file', 'has no rows']]);
  assert.deepEqual(unsaid(errors, ['has no rows', 'is missing', 'is missing', null]), []);
  assert.deepEqual(unsaid(errors, []), errors);
});
