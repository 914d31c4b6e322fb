import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

globalThis.navigator ??= { languages: ['en'] }; // Node has none up to 20
globalThis.location ??= /** @type {any} */ ({ pathname: '/console/test', origin: 'http://shop.example', search: '' });
globalThis.window ??= /** @type {any} */ (globalThis);
globalThis.document ??= /** @type {any} */ ({ addEventListener: () => undefined, documentElement: {}, querySelector: () => null });
const { taxRows } = await import('../files/parts/taxes.js');
const { byCountry, whenOf, whereOf } = await import('../files/screens/settings/taxes.js');
const { spanOf } = await import('../files/screens/settings/tax_report.js');

const rates = [{ name: 'GST', percent: 5, amount: 2.5 }, { name: 'QST', percent: 9.975, amount: 4.99 }];

test('added taxes are among the sums, and included ones are told of the total', () => {
  assert.deepEqual(taxRows({ included: false, rates }, 'added'), [['GST 5%', 2.5], ['QST 9.975%', 4.99]]);
  assert.deepEqual(taxRows({ included: false, rates: [{ name: 'NYC', percent: 8.4875, amount: 1 }] }, 'added'), [['NYC 8.4875%', 1]]);
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

test('rates and the markets that compute taxes stand together by country', () => {
  const rate = (country, name) => ({ country, name });
  const market = (name, taxes, ...countries) => ({ name, taxes, countries });
  const of = byCountry([rate('US', 'Texas'), rate('KR', 'VAT'), rate('US', 'Ohio')],
    [market('Korea', 'included', 'KR'), market('Off', 'off', 'FR'), market('Gulf', 'added', 'KW')]);
  assert.deepEqual(of.map(({ country, rates, markets }) => [country, rates.length, markets.map((m) => m.name)]),
    [['KW', 0, ['Gulf']], ['KR', 1, ['Korea']], ['US', 2, []]]);
});

test('a rate is for a province by its name, or for postal codes', () => {
  const fields = [{ name: 'province', options: [{ value: 'CA', label: 'California' }] }];
  assert.equal(whereOf({ province: 'CA' }, fields), 'California');
  assert.equal(whereOf({ province: 'TX' }, fields), 'TX');
  assert.equal(whereOf({ province: 'CA', postalFrom: '900', postalTo: '905' }, fields), 'California, 900–905');
  assert.equal(whereOf({ postalFrom: '63', postalTo: '63' }, undefined), '63');
});

test('a rate is told to begin or to have ended, and to apply on the bounds of its time', () => {
  const [from, to] = ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'];
  const at = (/** @type {string} */ now) => whenOf({ validFrom: from, validTo: to }, Date.parse(now));
  assert.deepEqual(['2025-12-31T23:59:59Z', from, '2026-01-31T23:59:59Z', to].map(at), ['coming', '', '', 'ended']);
  assert.equal(whenOf({ validFrom: null, validTo: null }, 0), '');
});

test('a period has whole months, and ends no later than today', () => {
  const spans = (today) => ['month', 'lastMonth', 'quarter', 'lastQuarter', 'year'].map((p) => Object.values(spanOf(p, today)).join(' '));
  assert.deepEqual(spans('2026-02-28'),
    ['2026-02-01 2026-02-28', '2026-01-01 2026-01-31', '2026-01-01 2026-02-28', '2025-10-01 2025-12-31', '2026-01-01 2026-02-28']);
  assert.deepEqual(spans('2024-05-31').slice(1, 4), ['2024-04-01 2024-04-30', '2024-04-01 2024-05-31', '2024-01-01 2024-03-31']);
});
