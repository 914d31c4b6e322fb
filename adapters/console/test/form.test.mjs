import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberOf } from '../files/base/amount.js';
import { localIn, momentIn } from '../files/base/zone.js';

/** typed is what a form holds after each key of a text, as an input that is written back shows it. */
function typed(text) {
  let shown = '';
  let held = null;
  for (const key of text) {
    held = numberOf(shown + key);
    shown = String(held ?? '');
  }
  return held;
}

test('a number is what was typed, key by key', () => {
  for (const [text, number] of [['1.5', 1.5], ['12000', 12000], ['7', 7]]) assert.equal(typed(text), number);
  for (const text of ['1.05', '0.05', '10.50', '12,000', '1.']) assert.ok([text, Number(text)].includes(typed(text)), `${text} became ${typed(text)}`);
  assert.equal(numberOf(' '), null);
});

test('a year that is being typed is a year', () => {
  assert.equal(localIn(momentIn('0026-01-31T14:30', 'UTC'), 'UTC'), '0026-01-31T14:30');
});
