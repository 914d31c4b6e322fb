import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

globalThis.navigator ??= { languages: ['en'] }; // Node has none up to 20
globalThis.location ??= /** @type {any} */ ({ pathname: '/console/test', origin: 'http://shop.example', search: '' });
globalThis.window ??= /** @type {any} */ (globalThis);
globalThis.document ??= /** @type {any} */ ({ addEventListener: () => undefined, documentElement: {}, querySelector: () => null });
const { taxRows } = await import('../files/parts/taxes.js');

const rates = [{ name: 'GST', percent: 5, amount: 2.5 }, { name: 'QST', percent: 9.975, amount: 4.99 }];

test('added taxes are among the sums, and included ones are told of the total', () => {
  assert.deepEqual(taxRows({ included: false, rates }, 'added'), [['GST 5%', 2.5], ['QST 9.975%', 4.99]]);
  assert.deepEqual(taxRows({ included: false, rates }, 'included'), []);
  assert.deepEqual(taxRows({ included: true, rates }, 'added'), []);
  assert.deepEqual(taxRows({ included: true, rates }, 'included').map(([, amount]) => amount), [2.5, 4.99]);
  for (const none of [null, undefined, { included: null, rates: null }]) assert.deepEqual(taxRows(none, 'added'), []);
});

test('each list of sums that ends in the total of an order or a draft has its taxes', () => {
  for (const screen of ['orders/lines', 'drafts/totals', 'drafts/closed']) {
    const text = readFileSync(new URL(`../files/screens/${screen}.js`, import.meta.url), 'utf8');
    for (const which of ['added', 'included']) assert.match(text, new RegExp(`<\\$\\{TaxRows\\} .*which="${which}"`), screen);
  }
});
