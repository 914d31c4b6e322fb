import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matching } from '../ui/router.js';

test('an address has what a path names', () => {
  assert.deepEqual(matching('/orders/:id', '/orders/a%2Fb'), { id: 'a/b' });
  assert.deepEqual(matching('/records/:slug/:id', '/records/tags/1/'), { slug: 'tags', id: '1' });
  assert.deepEqual(matching('/', '/'), {});
});

test('an address is another one with a segment more, less, or of its own', () => {
  for (const path of ['/orders', '/orders/1/return', '/returns/1']) assert.equal(matching('/orders/:id', path), undefined, path);
});

test('an address with a percent sign that begins nothing is that of no screen', () => {
  for (const path of ['/orders/%', '/orders/50%25%', '/orders/%E0%A4']) assert.equal(matching('/orders/:id', path), undefined, path);
  assert.equal(matching('/orders', '/%'), undefined);
});
