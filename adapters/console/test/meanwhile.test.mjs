import assert from 'node:assert/strict';
import { test } from 'node:test';

globalThis.navigator ??= { languages: ['en'] }; // Node has none up to 20
globalThis.location ??= /** @type {any} */ ({ pathname: '/console/test', origin: 'http://shop.example', search: '' });
const { teller } = await import('../files/screens/products/meanwhile.js');
const { blank } = await import('../files/screens/products/draft.js');

test('what others changed of a product is told in words, whatever it is made of', () => {
  const told = teller(blank);
  assert.equal(told('translations.ko', { name: '머그', description: null }), '{"name":"머그","description":null}');
  assert.equal(told('seo', { title: 'Mug' }), '{"title":"Mug"}');
  assert.equal(told('name', 'Mug'), 'Mug');
  assert.equal(told('name', ''), '—');
});
