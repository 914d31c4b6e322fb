import assert from 'node:assert/strict';
import { test } from 'node:test';

globalThis.navigator ??= { languages: ['en'] }; // Node has none up to 20
globalThis.location ??= /** @type {any} */ ({ pathname: '/console/test', origin: 'http://shop.example', search: '' });
const { money, number, percent } = await import('../files/base/format.js');

test('what is below zero has a minus sign, which is as wide as a digit', () => {
  assert.deepEqual([money(-3000, 'KRW'), number(-12), percent(-0.125)], ['−₩3,000', '−12', '−12.5%']);
  assert.deepEqual([money(3000, 'KRW'), number(12), percent(0.125)], ['₩3,000', '12', '+12.5%']);
});
