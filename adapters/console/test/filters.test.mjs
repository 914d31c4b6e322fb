import assert from 'node:assert/strict';
import { test } from 'node:test';

globalThis.navigator ??= { languages: ['en'] }; // Node has none up to 20
globalThis.location ??= /** @type {any} */ ({ pathname: '/console/test', origin: 'http://shop.example', search: '' });
const { filtersFrom, whereOf } = await import('../files/base/filters.js');

const fieldAt = () => /** @type {any} */ ({ kind: 'texts' });

test('a list is filtered by the languages that its records lack', () => {
  const where = { translatedIn: { not_in: ['ko'] } };
  assert.deepEqual(whereOf({ translatedIn: '!ko' }, fieldAt), where);
  assert.deepEqual(filtersFrom(where, fieldAt), { translatedIn: '!ko' });
});

test('a tag that begins with an exclamation mark is that tag', () => {
  const where = { tags: { in: ['!urgent'] } };
  assert.deepEqual(whereOf({ tags: '!urgent' }, fieldAt), where);
  assert.deepEqual(filtersFrom(where, fieldAt), { tags: '!urgent' });
  assert.equal(filtersFrom({ tags: { not_in: ['urgent'] } }, fieldAt), undefined); // which no address can say
});
