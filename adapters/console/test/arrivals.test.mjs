import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrivals } from '../files/screens/returns/arrivals.js';

const lines = [{ orderLine: 'a' }, { orderLine: 'b' }];

test('Only lines of which something is said are sent, and nothing that was not', () => {
  assert.deepEqual(arrivals({}, lines), []);
  assert.deepEqual(arrivals({ b: { quantity: '1', condition: '' } }, lines), [{ orderLine: 'b', quantity: 1 }]);
  assert.deepEqual(arrivals({ a: { condition: 'missing' }, b: { restock: false } }, lines), [{ orderLine: 'a', condition: 'missing' }, { orderLine: 'b', restock: false }]);
});

test('What is no number goes out as it is, for the shop to say so', () => {
  assert.deepEqual(arrivals({ a: { quantity: 'two' } }, lines), [{ orderLine: 'a', quantity: 'two' }]);
  assert.deepEqual(arrivals({ a: { quantity: '' } }, lines), [{ orderLine: 'a', quantity: '' }]);
});
