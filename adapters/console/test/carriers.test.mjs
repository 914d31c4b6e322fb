import assert from 'node:assert/strict';
import { test } from 'node:test';

globalThis.navigator ??= { languages: ['en'] }; // Node has none up to 20
globalThis.location ??= /** @type {any} */ ({ pathname: '/console/test', origin: 'http://shop.example', search: '' });
globalThis.window ??= /** @type {any} */ (globalThis);
globalThis.document ??= /** @type {any} */ ({ addEventListener: () => undefined, documentElement: { dataset: {}, style: {} }, querySelector: () => null });
globalThis.matchMedia ??= /** @type {any} */ (() => ({ matches: false, addEventListener: () => undefined }));
const { keepBadLabel } = await import('../files/screens/carriers/import.js');

test('the rows that are kept are as many as the button says', () => {
  const report = /** @type {any} */ ({ rows: [{ status: 'refused' }, { status: 'applied' }, { status: 'refused' }] });
  const [all, some] = [keepBadLabel(report, 2), keepBadLabel(report, 5)];
  assert.notEqual(all, some);
});
