import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openIn } from './page.mjs';

openIn('en');
const { money } = await import('../../example/words.js');

test('the storefront shows what is paid to the last digit, also in currencies of which browsers leave digits out', () => {
  assert.equal(money(28000, 'KRW'), '₩28,000');
  assert.equal(money(19.9, 'USD'), '$19.90');
  assert.equal(money(1.25, 'KWD').replace(/\s/, ' '), 'KWD 1.250');
  assert.equal(money(1250.25, 'HUF').replace(/\s/, ' '), 'HUF 1,250.25');
  assert.equal(money(1.234, 'IQD').replace(/\s/, ' '), 'IQD 1.234');
});
