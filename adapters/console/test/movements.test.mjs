import assert from 'node:assert/strict';
import test from 'node:test';

globalThis.navigator ??= { languages: ['en'] }; // Node has none up to 20
globalThis.location ??= /** @type {any} */ ({ pathname: '/console/test', origin: 'http://shop.example', search: '' });
const { balanceOf, moved, movedOrPromised } = await import('../files/base/movements.js');

const won = (type, status, amount) => ({ type, status, amount, currency: 'KRW' });

test('money has moved as the books of the shop say', () => {
  const counts = [won('payment', 'paid', 1), won('refund', 'refunded', 1), won('reversal', 'reversed', 1), won(null, 'paid', 1)];
  const not = [won('payment', 'authorized', 1), won('payment', 'voided', 1), won('refund', 'pending', 1), won('refund', 'failed', 1), won('reversal', 'returned', 1)];
  assert.deepEqual(counts.map(moved), [true, true, true, true]);
  assert.deepEqual(not.map(moved), [false, false, false, false, false]);
});

test('what is left is payments less what was given or taken back', () => {
  const all = [won('payment', 'paid', 12_000), won('refund', 'refunded', 2000), won('reversal', 'reversed', 1000), won('refund', 'pending', 500), won('payment', 'failed', 9)];
  assert.equal(balanceOf(all, 'KRW'), 9000);
  // A refund that is on its way has not left the shop, but cannot be given back once more.
  assert.equal(balanceOf(all, 'KRW', movedOrPromised), 8500);
  assert.equal(balanceOf([], 'KRW'), 0);
});

test('amounts add up to the cent, in one currency', () => {
  const dollar = (amount) => ({ type: 'payment', status: 'paid', amount, currency: 'USD' });
  assert.equal(balanceOf([dollar(0.1), dollar(0.2), won('payment', 'paid', 7)], 'USD'), 0.3);
});
