import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asRead, missingIn, othersOf, textsOf, withText } from '../files/base/translations.js';

const fields = [
  { name: 'name', kind: 'text', translatable: true }, { name: 'slug', kind: 'text', translatable: true }, { name: 'price', kind: 'money' },
  { name: 'seo', kind: 'group', fields: [{ name: 'title', kind: 'text', translatable: true }] },
  { name: 'values', kind: 'array', fields: [{ name: 'id', kind: 'text' }, { name: 'label', kind: 'text', translatable: true }] },
];
const record = { name: 'Mug', slug: 'mug', price: 1, seo: { title: '' }, values: [{ id: 'a', label: 'Red' }, { label: 'new' }] };

test('the texts of a record are those at the top, in groups, and in rows that are there', () => {
  const texts = textsOf(fields, record);
  assert.deepEqual(texts.map(({ path, label, text }) => [path, label, text]), [
    ['name', 'name', 'Mug'], ['slug', 'slug', 'mug'], ['seo.title', 'seo.title', ''], ['values.a.label', 'values.label', 'Red'],
  ]);
});

test('a language lacks what the default one has, but for the handle', () => {
  const texts = textsOf(fields, record);
  assert.equal(missingIn(texts, null, 'ko'), 2);
  assert.equal(missingIn(texts, { ko: { name: '머그' } }, 'ko'), 1);
  assert.equal(missingIn(texts, { ko: { name: '머그', 'values.a.label': '빨강' } }, 'ko'), 0);
});

test('a text that is typed and emptied again changes nothing', () => {
  const typed = withText(null, null, 'ko', 'name', '머그');
  assert.deepEqual(typed, { ko: { name: '머그' } });
  assert.equal(withText(typed, null, 'ko', 'name', ''), null);
  const before = { ko: { name: '머그' } };
  assert.deepEqual(withText(before, before, 'ko', 'name', ''), { ko: { name: null } });
  assert.equal(withText({ ko: { name: null } }, before, 'ko', 'name', '머그'), before);
});

test('a record of a list is compared with itself as it was read, wherever it stands now', () => {
  const base = { id: 'p', options: [{ id: 'o1', name: 'Size' }, { id: 'o2', name: 'Color', translations: { ko: { name: '색' } } }] };
  const [, color] = base.options; // stands first when the other one was removed
  assert.equal(asRead(base, color, 'options.0'), color);
  assert.deepEqual(withText(color.translations, asRead(base, color, 'options.0').translations, 'ko', 'name', ''), { ko: { name: null } });
  assert.equal(asRead(base, { key: 'new', name: '' }, 'options.0'), undefined);
  assert.equal(asRead(base, { id: 'p' }), base);
});

test('a shop has other languages besides its default one', () => {
  assert.deepEqual(othersOf({ settings: { locale: 'en', locales: ['en', 'ko'] } }), ['ko']);
  assert.deepEqual(othersOf({ settings: { locale: null, locales: ['en', 'ko'] } }), ['ko']);
  assert.deepEqual(othersOf(null), []);
});
