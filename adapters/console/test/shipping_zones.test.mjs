import assert from 'node:assert/strict';
import { test } from 'node:test';

globalThis.navigator ??= { languages: ['en'] }; // Node has none up to 20
globalThis.location ??= /** @type {any} */ ({ pathname: '/console/test', origin: 'http://shop.example', search: '' });
globalThis.window ??= /** @type {any} */ (globalThis);
globalThis.document ??= /** @type {any} */ ({ addEventListener: () => undefined, documentElement: {}, querySelector: () => null });
const { typed, zonesOf } = await import('../files/screens/settings/zones.js');

test('a zone keeps the countries and provinces that it has', () => {
  const zones = [{ name: 'far', countries: ['US'], provinces: ['AK', 'HI'], ranges: [{ from: '995', to: '999' }], extraFee: 5000, waivedWhenFree: true }];
  assert.deepEqual(zonesOf(typed(zones)), zones);
});
