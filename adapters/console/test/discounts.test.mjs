import assert from 'node:assert/strict';
import { test } from 'node:test';

globalThis.navigator ??= { languages: ['en'] }; // Node has none up to 20
globalThis.location ??= /** @type {any} */ ({ pathname: '/console/test', origin: 'http://shop.example', search: '' });
const { numbersIn } = await import('../files/screens/discounts/told.js');
const { rate } = await import('../files/base/format.js');
const { numbersIn: numbersOf } = await import('../files/screens/records/record.js');
const { zonesOf } = await import('../files/screens/settings/zones.js');

test('what was typed of a discount is sent as numbers, and what is none as it is', () => {
  const typed = { code: '1,000', value: '1.05', minOrderAmount: '30,000', usageLimit: null, tiers: [{ id: 't', minAmount: '1,000', value: '5%' }] };
  const sent = { code: '1,000', value: 1.05, minOrderAmount: 30000, usageLimit: null, tiers: [{ id: 't', minAmount: 1000, value: 5 }] };
  assert.deepEqual(numbersIn(typed), sent);
  assert.deepEqual(numbersIn({ value: '1.', tiers: null }), { value: '1.', tiers: null });
});

test('the fee of a zone is sent as a number', () => {
  const [zone] = zonesOf([{ name: 'Jeju', codes: '63000-63644', extraFee: '3,000' }]);
  assert.deepEqual(zone, { name: 'Jeju', extraFee: 3000, ranges: [{ from: '63000', to: '63644' }] });
});

test('numbers of records are read by their schema, also in groups', () => {
  const fields = [
    { name: 'baseFee', kind: 'money' }, { name: 'title', kind: 'text' },
    { name: 'settings', kind: 'group', fields: [{ name: 'days', kind: 'integer' }] },
  ];
  assert.deepEqual(numbersOf({ baseFee: '3,000', title: '3,000', settings: { days: '07' } }, fields), { baseFee: 3000, title: '3,000', settings: { days: 7 } });
});

test('a rate of exchange is shown with its digits', () => {
  assert.deepEqual([0.00072, 0.00071994, 1385.25, 7].map(rate), ['0.00072', '0.00071994', '1,385.25', '7']);
});
