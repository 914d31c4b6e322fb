import assert from 'node:assert/strict';
import { test } from 'node:test';
import './screen.mjs';

const { keepBadLabel } = await import('../files/screens/carriers/import.js');

test('the rows that are kept are as many as the button says', () => {
  const report = /** @type {any} */ ({ rows: [{ status: 'refused' }, { status: 'applied' }, { status: 'refused' }] });
  const [all, some] = [keepBadLabel(report, 2), keepBadLabel(report, 5)];
  assert.notEqual(all, some);
});
