import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient, createCommerceIdempotencyKey, localStorageStore, memoryStore } from '@cartwright/sdk';
import { createServerClient } from '@cartwright/sdk/server';
import { answer, broken, cart, client, clientKey, failure, refusal, shop } from './fake.mjs';

const at = { baseUrl: 'https://shop.test' };
const pair = { clientKey: 'pk_test_a', secretKey: 'sk_test_a' };

test('a client takes a client key only', () => {
  for (const key of ['sk_test_a', 'pk_a', 'xpk_test_a', '', 'pk_test_a\nb']) {
    assert.throws(() => createClient({ ...at, clientKey: key }), { reason: 'invalid_configuration' });
  }
  assert.throws(() => createClient({ ...at, clientKey: 'sk_live_topsecret' }), (e) => !String(e).includes('topsecret'));
});

test('a server client takes a pair of keys of one environment', () => {
  for (const wrong of [{ clientKey: 'sk_test_a' }, { secretKey: 'pk_test_a' }, { secretKey: 'sk_live_a' }, { clientKey: 'pk_live_a' }, { secretKey: 'sk_test_a\nb' }]) {
    assert.throws(() => createServerClient({ ...at, ...pair, ...wrong }), { reason: 'invalid_configuration' });
  }
  createServerClient({ ...at, clientKey: 'pk_live_a', secretKey: 'sk_live_a' });
});

test('a server client is not made in a page', (t) => {
  globalThis.document = {};
  t.after(() => delete globalThis.document);
  assert.throws(() => createServerClient({ ...at, ...pair }), { reason: 'invalid_configuration' });
});

test('a client shows its keys to nobody', async () => {
  const { inspect } = await import('node:util');
  const s = createServerClient({ ...at, clientKey: 'pk_test_a', secretKey: 'sk_test_topsecret' });
  assert.ok(!(inspect(s, { depth: 9, showHidden: true }) + JSON.stringify(s)).includes('topsecret'));
});

test('the address of the shop may end in a slash or in /api', async () => {
  for (const end of ['', '/', '/api', '/api/']) {
    const s = shop(answer({ docs: [] }));
    await client(s, { baseUrl: `https://shop.test${end}` }).commerce.product.listingPage();
    assert.equal(s.seen[0].url, 'https://shop.test/api/commerce/products/listing');
  }
});

test('no redirect is followed, since keys and tokens would go with it', async () => {
  const s = shop(() => new Response(null, { status: 307, headers: { location: 'https://else.where' } }));
  const e = await failure(client(s).commerce.product.listingPage());
  assert.equal(e.reason, 'invalid_response');
  assert.equal(s.seen.length, 1);
  assert.equal(s.seen[0].redirect, 'manual');
});

test('filters travel as JSON, what is selected in brackets', async () => {
  const s = shop(answer({ docs: [] }));
  const where = { name: { equals: 'Blue & white' } };
  await client(s).collections.from('products').find({ where, select: { name: true }, limit: 5, sort: '-name' });
  const url = new URL(s.seen[0].url);
  assert.equal(url.pathname, '/api/products');
  assert.deepEqual(JSON.parse(url.searchParams.get('where')), where);
  assert.ok(!url.search.includes('+'), 'a plus is not a space everywhere');
  assert.equal(url.searchParams.get('select[name]'), 'true');
  assert.equal(url.searchParams.get('limit'), '5');
  assert.equal(s.seen[0].key, undefined);
});

test('of a list each value travels by itself', async () => {
  const s = shop(answer({ docs: [] }));
  await client(s).commerce.product.search({ q: 'tea', options: ['Weight:50 g', 'Weight:100 g'], brands: [] });
  const { searchParams } = new URL(s.seen[0].url);
  assert.deepEqual([searchParams.getAll('options'), searchParams.getAll('brands')], [['Weight:50 g', 'Weight:100 g'], []]);
});

test('a server client sends both keys, to the server paths, and no capability', async () => {
  const s = shop(answer({ cart: cart(1), cartToken: 'ct_x' }), answer({ cart: cart(2) }));
  const c = createServerClient({ ...at, ...pair, fetch: s.fetch });
  await c.commerce.carts.create();
  await c.commerce.carts.addItem({ cartId: 'c1', variantId: 'v1', quantity: 1 });
  assert.equal(s.seen[1].url, 'https://shop.test/api/server/commerce/carts/c1/items');
  assert.equal(s.seen[1].headers['X-API-Key'], pair.secretKey);
  assert.equal(s.seen[1].headers['X-Client-Key'], pair.clientKey);
  assert.equal(s.seen[1].headers['X-Cart-Token'], undefined);
  assert.equal('expectedRevision' in JSON.parse(s.seen[1].body), false, 'a server says so when it means a revision');
});

test('a file is sent again under the same key', async () => {
  const s = shop(broken, answer({ message: 'Ok.', doc: { id: 'm1' } }, 201));
  const c = createServerClient({ ...at, ...pair, fetch: s.fetch, retry: { baseDelay: 1 } });
  const { doc } = await c.collections.from('media').upload({ file: new Blob(['x']), filename: 'x.txt', alt: 'An x' });
  assert.equal(doc.id, 'm1');
  assert.match(s.seen[0].key, /^ik_/);
  assert.equal(s.seen[0].key, s.seen[1].key);
  assert.equal(s.seen[1].body.get('file').name, 'x.txt');
  assert.deepEqual(JSON.parse(s.seen[1].body.get('_payload')), { alt: 'An x' });
  assert.equal(s.seen[1].headers['Content-Type'], undefined, 'the platform names the boundary');
});

test('a product that is not there is an answer, another 404 is a failure', async () => {
  const none = { found: false, reason: 'unpublished' };
  assert.deepEqual(await client(shop(answer(none, 404))).commerce.product.detail({ slug: 'x' }), none);
  const e = await failure(client(shop(refusal(404, 'market_not_found'))).commerce.product.detail({ slug: 'x', market: 'zz' }));
  assert.equal(e.reason, 'market_not_found');
});

test('an older receipt never replaces a newer cart', async () => {
  const s = shop(answer({ cart: cart(5) }), answer({ cart: cart(3) }), answer({ cart: cart(6) }));
  const c = client(s);
  await c.commerce.carts.retrieve({ cartId: 'c1' });
  const replayed = await c.commerce.carts.addItem({ cartId: 'c1', variantId: 'v1', quantity: 1 });
  assert.equal(replayed.receipt.revision, 3);
  assert.equal(replayed.cart.revision, 5);
  assert.equal(c.commerce.carts.cached('c1').revision, 5);
  const next = await c.commerce.carts.clear({ cartId: 'c1' });
  assert.equal(JSON.parse(s.seen[2].body).expectedRevision, 5);
  assert.equal(next.cart.revision, 6);
});

test('tokens that are told once are kept and found again by a later client', async () => {
  const storage = memoryStore();
  const s = shop(
    answer({ cart: cart(1), cartToken: 'ct_1' }, 201),
    answer({ checkout: { id: 'k1' }, checkoutToken: 'co_1' }, 201),
    answer({ paymentSession: { id: 's1', checkout: 'k1' }, checkoutUrl: 'https://pay.test' }, 201),
    answer({ status: 'open', checkout: { id: 'k1' } }),
  );
  const c = client(s, { storage });
  await c.commerce.carts.create();
  await c.commerce.checkouts.create({ cartId: 'c1', email: 'a@b.test' });
  await c.commerce.paymentSessions.createAggregator({ checkoutId: 'k1', mode: 'hosted_v2', method: 'CARD_KR', redirectUrl: 'https://x.test' });
  const later = client(s, { storage });
  await later.commerce.paymentSessions.retrieveAggregator({ paymentSessionId: 's1' });
  await later.commerce.checkouts.retrieve({ checkoutToken: 'co_1' });
  await later.commerce.checkouts.retrieve({ checkoutId: 'k1' });
  const [create, checkOut, pay, paid, byToken, byId] = s.seen;
  assert.equal(create.headers['X-Cart-Token'], undefined);
  assert.equal(checkOut.headers['X-Cart-Token'], 'ct_1');
  assert.equal(pay.headers['X-Checkout-Token'], 'co_1');
  assert.equal(JSON.parse(pay.body).checkoutId, 'k1');
  assert.equal(paid.headers['X-Checkout-Token'], 'co_1');
  assert.equal(paid.url, 'https://shop.test/api/commerce/payment-sessions/aggregator/s1');
  assert.equal(byToken.url, 'https://shop.test/api/commerce/checkouts/k1');
  assert.equal(byToken.headers['X-Checkout-Token'], 'co_1');
  assert.equal(byId.headers['X-Checkout-Token'], 'co_1');
});

test('a checkout token of unknown origin finds its checkout, once', async () => {
  const s = shop(answer({ status: 'open', checkout: { id: 'k9' } }), answer({ status: 'open', checkout: { id: 'k9' } }));
  const c = client(s);
  await c.commerce.checkouts.retrieve({ checkoutToken: 'co_9' });
  await c.commerce.checkouts.retrieve({ checkoutToken: 'co_9' });
  assert.deepEqual(
    s.seen.map((r) => [new URL(r.url).pathname, r.headers['X-Checkout-Token']]),
    [
      ['/api/commerce/checkouts/by-token', 'co_9'],
      ['/api/commerce/checkouts/k9', 'co_9'],
      ['/api/commerce/checkouts/k9', 'co_9'],
    ],
  );
});

test('a checkout token that comes with its id needs no look-up', async () => {
  const s = shop(answer({ status: 'open', checkout: { id: 'k9' } }));
  await client(s).commerce.checkouts.retrieve({ checkoutToken: 'co_9', checkoutId: 'k9' });
  assert.deepEqual(s.seen.map((r) => new URL(r.url).pathname), ['/api/commerce/checkouts/k9']);
});

test("a checkout's token that is given with a payment of unknown origin is sent", async () => {
  const s = shop(answer({ paymentSession: { id: 's7', checkout: null } }));
  const c = client(s);
  await c.commerce.paymentSessions.retrieve({ paymentSessionId: 's7', checkoutToken: 'co_7' });
  await c.commerce.paymentSessions.retrieve({ paymentSessionId: 's7' });
  assert.deepEqual(s.seen.map((r) => r.headers['X-Checkout-Token']), ['co_7', 'co_7']);
});

test('a token is used even where the storage cannot keep it', async () => {
  const s = shop(answer({ cart: cart(1), cartToken: 'ct_1' }, 201), answer({ cart: cart(1) }));
  const full = { ...memoryStore(), set: () => Promise.reject(new Error('full')) };
  const c = client(s, { storage: full });
  await c.commerce.carts.create();
  await c.commerce.carts.retrieve({ cartId: 'c1' });
  assert.equal(s.seen[1].headers['X-Cart-Token'], 'ct_1');
});

test('tokens of the oldest carts are let go of', async () => {
  let n = 0;
  const storage = memoryStore();
  const c = client(shop(() => answer({ cart: cart(1, { id: `c${100 + ++n}` }), cartToken: `ct_${n}` }, 201)()), { storage });
  for (let i = 0; i < 60; i++) await c.commerce.carts.create();
  const kept = storage.keys(`${clientKey}:cart:`).sort();
  assert.equal(kept.length, 50);
  assert.ok(kept[0].endsWith(':c111') && kept[49].endsWith(':c160'));
  // One that the caller still has is taken back.
  const s = shop(answer({ cart: cart(1, { id: 'c101' }) }));
  await client(s, { storage }).commerce.carts.retrieve({ cartId: 'c101', cartToken: 'ct_1' });
  assert.equal(s.seen[0].headers['X-Cart-Token'], 'ct_1');
});

test('a merge brings the token of the source that is in the storage', async () => {
  const s = shop(answer({ cart: cart(1), cartToken: 'ct_1' }, 201), answer({ cart: cart(2, { id: 'c2' }), warnings: [] }));
  const c = client(s);
  await c.commerce.carts.create();
  const merged = await c.commerce.carts.merge({ sourceCartId: 'c1', targetCartId: 'c2', cartToken: 'ct_2' });
  assert.deepEqual(JSON.parse(s.seen[1].body), { sourceCartId: 'c1', targetCartId: 'c2', sourceCartToken: 'ct_1' });
  assert.equal(s.seen[1].headers['X-Cart-Token'], 'ct_2');
  assert.deepEqual(merged.warnings, []);
});

test('the previous generation answers the cart itself, and its token is kept too', async () => {
  const s = shop(answer({ ...cart(1), cartToken: 'ct_1', totalAmount: 5 }, 201), answer({ ...cart(2), totalAmount: 6 }));
  const c = client(s);
  const made = await c.commerce.cart.create();
  assert.equal(made.totalAmount, 5);
  const now = await c.commerce.cart.applyDiscount({ cartId: 'c1', discountCode: 'X' });
  assert.equal(now.totalAmount, 6);
  assert.equal(s.seen[1].headers['X-Cart-Token'], 'ct_1');
  assert.deepEqual(JSON.parse(s.seen[1].body), { discountCode: 'X' });
  assert.match(s.seen[1].key, /^ik_/);
});

test('a key is ik_ and 32 evenly drawn letters or digits', (t) => {
  const keys = new Set(Array.from({ length: 500 }, createCommerceIdempotencyKey));
  assert.equal(keys.size, 500);
  for (const key of keys) assert.match(key, /^ik_[0-9A-Za-z]{32}$/);
  // Bytes above the last multiple of 62 are thrown away, not folded onto the first letters.
  let byte = 255;
  t.mock.method(crypto, 'getRandomValues', (list) => list.map(() => (byte = byte === 255 ? 247 : 255)));
  assert.equal(createCommerceIdempotencyKey(), `ik_${'z'.repeat(32)}`);
});

/** A localStorage as browsers have it. */
function fakeStorage() {
  const held = new Map();
  return {
    get length() {
      return held.size;
    },
    key: (i) => [...held.keys()][i] ?? null,
    getItem: (key) => held.get(key) ?? null,
    setItem: (key, value) => held.set(key, value),
    removeItem: (key) => held.delete(key),
  };
}

test('a browser client keeps operations and tokens in localStorage, apart from what the page has there', async (t) => {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'localStorage');
  const fake = fakeStorage();
  Object.defineProperty(globalThis, 'localStorage', { value: fake, configurable: true });
  globalThis.document = {};
  t.after(() => {
    delete globalThis.document;
    if (before) Object.defineProperty(globalThis, 'localStorage', before);
    else delete globalThis.localStorage;
  });
  fake.setItem('of the page', 'x');
  const s = shop(answer({ cart: cart(1), cartToken: 'ct_1' }, 201), broken);
  const c = createClient({ ...at, clientKey, fetch: s.fetch, retry: { attempts: 1 } });
  await c.commerce.carts.create();
  await failure(c.commerce.carts.clear({ cartId: 'c1' }));
  assert.equal(fake.getItem(`cartwright:${clientKey}:cart:c1`), 'ct_1');
  const keys = Array.from({ length: fake.length }, (_, i) => fake.key(i));
  assert.equal(keys.filter((key) => key.startsWith(`cartwright:pending:${clientKey}:`)).length, 1);
  const page = localStorageStore('of ');
  assert.deepEqual(await page.keys(''), ['the page']);
  assert.deepEqual(await page.keys('th'), ['the page']);
  assert.deepEqual(await page.keys('page'), []);
  fake.setItem = () => {
    throw new Error('private window');
  };
  createClient({ ...at, clientKey });
});
