import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

globalThis.navigator ??= { languages: ['en'] }; // Node has none up to 20
globalThis.location ??= /** @type {any} */ ({ pathname: '/console/test', origin: 'http://shop.example', search: '' });
const { digitsOf, money, number, percent, sumOf } = await import('../files/base/format.js');

test('what is below zero has a minus sign, which is as wide as a digit', () => {
  assert.deepEqual([money(-3000, 'KRW'), number(-12), percent(-0.125)], ['−₩3,000', '−12', '−12.5%']);
  assert.deepEqual([money(3000, 'KRW'), number(12), percent(0.125)], ['₩3,000', '12', '+12.5%']);
});

test('amounts are shown and added with all digits that the shop counts in, also of currencies whose coins nobody uses', () => {
  const list = /parseExponents\(map\[int\]string{([^}]*)}/.exec(readFileSync(new URL('../../../domain/money/money.go', import.meta.url), 'utf8'))?.[1] ?? '';
  const counted = [...list.matchAll(/(\d): ([^:]*)(?=,|$)/g)].flatMap(([, digits, codes]) => (codes.match(/[A-Z]{3}/g) ?? []).map((code) => [code, Number(digits)]));
  assert.ok(counted.length > 150, `${counted.length} currencies`);
  assert.deepEqual(counted.filter(([code, digits]) => digitsOf(code) !== digits), []);
  assert.match(money(1250.25, 'HUF'), /1,250\.25/);
  assert.match(money(1.25, 'IQD'), /1\.250/);
  assert.equal(sumOf([0.25, 0.25], 'HUF'), 0.5);
});
