import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backOf, replaced } from '../files/base/undo.js';

test('what was changed gets its old values, and what was empty is empty again', () => {
  const base = { name: 'Old', note: null, groups: ['a', 'b'], revision: 4, kept: 'as it is' };
  const changes = { name: 'New', note: 'added', groups: ['a'], phone: '010' };
  assert.deepEqual(replaced(changes, base), { name: 'Old', note: null, groups: ['a', 'b'], phone: null });
});

test('of a group, a member that was added is taken out', () => {
  const base = { settings: { locale: 'ko', mail: { from: 'a@example.com' } }, address: null };
  const changes = { settings: { locale: 'en', storefrontUrl: 'https://shop.example', mail: { from: 'a@example.com', to: 'b' } }, address: { phone: '010' } };
  assert.deepEqual(replaced(changes, base), {
    settings: { locale: 'ko', storefrontUrl: null, mail: { from: 'a@example.com', to: null } }, address: null,
  });
});

test('a change of what is guarded is not undone, and another one beside it is', () => {
  const base = { email: 'a@example.com', settings: { locale: 'ko', allowedOrigins: ['https://shop.example'] } };
  const guarded = ['email', 'settings.allowedOrigins'];
  assert.equal(replaced({ email: 'b@example.com' }, base, guarded), undefined);
  assert.equal(replaced({ settings: { ...base.settings, allowedOrigins: [] } }, base, guarded), undefined);
  assert.deepEqual(replaced({ settings: { ...base.settings, locale: 'en' } }, base, guarded), { settings: base.settings });
});

test('of many records those are put back that were changed, each under the revision that this made', () => {
  const docs = [{ id: 'a', status: 'draft' }, { id: 'b', status: 'published' }, { id: 'c', status: 'unlisted' }];
  const patches = docs.map(({ id }) => ({ id, data: { status: 'published' } }));
  const results = [
    { id: 'c', status: 'updated', revision: 8 },
    { id: 'b', status: 'unchanged', revision: 2 },
    { id: 'a', status: 'refused', revision: null },
  ];
  assert.deepEqual(backOf(patches, docs, results), [{ id: 'c', data: { status: 'unlisted' }, expectedRevision: 8 }]);
});
