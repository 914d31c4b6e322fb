import assert from 'node:assert/strict';
import { test } from 'node:test';

globalThis.navigator ??= { languages: ['en'] }; // Node has none up to 20
globalThis.location ??= /** @type {any} */ ({ pathname: '/console/test', origin: 'http://shop.example', search: '' });
globalThis.window ??= /** @type {any} */ (globalThis);
globalThis.document ??= /** @type {any} */ ({ addEventListener: () => undefined, documentElement: {}, querySelector: () => null });
const { enter, shop, user } = await import('../files/base/shop.js');
const { schemas } = await import('../files/base/schema.js');
const { language, speak } = await import('../files/base/words.js');

/** What answers wait for, by shop and language; those of others come at once. @type {Map<string, Promise<void>>} */
const held = new Map();

/** hold keeps the schemas of a shop in a language back until it is told. @param {string} which */
function hold(which) {
  let give = () => undefined;
  held.set(which, new Promise((done) => (give = () => void done(undefined))));
  return () => {
    held.delete(which);
    give();
  };
}

globalThis.fetch = async (url, { headers }) => {
  const at = new Headers(headers);
  const path = new URL(url).pathname;
  const which = `${at.get('X-Tenant-Id')} ${at.get('Accept-Language')}`;
  if (path === '/api/schemas') await held.get(which);
  const id = path.split('/').at(-1);
  return Response.json({
    '/api/users/me': { user: { id: 'u', memberships: [{ tenant: 'a' }, { tenant: 'b' }] } },
    '/api/permissions': { own: [] }, '/api/schemas': { collections: [{ slug: which }] },
  }[path] ?? { id, name: id });
};

/** shown is the shop and the language that the page says everything in. */
const shown = () => [`${shop.value?.id} ${language.value}`, ...schemas.value.keys()];
const settled = () => new Promise((done) => setTimeout(done, 50));

test('the language that was chosen last is shown, however late the other comes', async () => {
  await enter('a');
  const late = hold('a ko');
  const first = speak('ko');
  await speak('en');
  late();
  await first;
  assert.deepEqual(shown(), ['a en', 'a en']);
});

test('a switch of shops and a choice of language end in the language and the shop', async () => {
  for (const [first, second] of [['a ko', 'b en'], ['b en', 'a ko']]) {
    await Promise.all([enter('a'), speak('en')]);
    const [one, other] = [hold(first), hold(second)];
    const both = [speak('ko'), enter('b')];
    await settled();
    one();
    await settled();
    other();
    await Promise.all(both);
    assert.deepEqual(shown(), ['b ko', 'b ko']);
  }
});

test('the shop that was chosen last is shown', async () => {
  await Promise.all([enter('a'), speak('en')]);
  const late = hold('a en');
  const first = enter('a');
  await settled();
  await enter('b');
  late();
  await first;
  assert.deepEqual(shown(), ['b en', 'b en']);
  assert.equal(user.value?.id, 'u');
});
