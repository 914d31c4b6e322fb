import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryStore } from '@cartwright/sdk';
import { createServerClient } from '@cartwright/sdk/server';
import { answer, broken, cart, client, clientKey, failure, refusal, shop } from './fake.mjs';

const done = answer({ cart: cart(2) });
const add = { cartId: 'c1', variantId: 'v1', quantity: 1, expectedRevision: 1 };

test('a change is remembered, with its key and its bytes, before it is sent', async () => {
  const pending = memoryStore();
  let atSend;
  const s = shop(() => {
    atSend = pending.keys('').map((key) => JSON.parse(pending.get(key)));
    return done();
  });
  const c = client(s, { pending });
  await c.commerce.carts.addItem(add);
  assert.equal(atSend.length, 1);
  const [record] = atSend;
  assert.equal(record.id, s.seen[0].key);
  assert.equal(record.body, s.seen[0].body);
  assert.equal(record.operation, 'carts.addItem');
  assert.equal(record.path, '/api/commerce/carts/c1/items');
  assert.equal(record.method, 'POST');
  assert.equal(record.attempts, 1);
  assert.equal(record.unknown, true, 'whoever finds it after a crash cannot know');
  assert.deepEqual(await c.pending.list(), [], 'it is settled');
  assert.deepEqual(pending.keys(''), []);
});

test('nothing is sent when it cannot be remembered', async () => {
  for (const broke of ['get', 'set', 'keys']) {
    const s = shop(done);
    const pending = memoryStore();
    await failure(client(shop(broken), { pending }).commerce.carts.addItem(add));
    pending[broke] = () => Promise.reject(new Error('full'));
    const e = await failure(client(s, { pending }).commerce.carts.addItem(add));
    assert.equal(e.reason, 'pending_store_failed', broke);
    assert.equal(s.seen.length, 0, broke);
  }
});

test('a result is not lost when the store cannot forget the operation', async () => {
  const s = shop(done);
  const pending = { ...memoryStore(), remove: () => Promise.reject(new Error('stuck')) };
  const { cart: newest } = await client(s, { pending }).commerce.carts.addItem(add);
  assert.equal(newest.revision, 2);
});

test('after lost answers the same call, in a new client, has the same key and the same bytes', async () => {
  const pending = memoryStore();
  const lost = shop(broken);
  const e = await failure(client(lost, { pending }).commerce.carts.addItem(add));
  assert.equal(e.reason, 'network_error');
  assert.equal(lost.seen.length, 3);
  assert.equal(new Set(lost.seen.map((r) => r.key)).size, 1);

  const s = shop(done);
  const c = client(s, { pending });
  const [left] = await c.pending.list();
  assert.equal(left.unknown, true);
  assert.equal(left.attempts, 3);
  // Members in another order and another revision: still the same operation.
  await c.commerce.carts.addItem({ quantity: 1, variantId: 'v1', expectedRevision: 7, cartId: 'c1' });
  assert.equal(s.seen[0].key, lost.seen[0].key);
  assert.equal(s.seen[0].body, lost.seen[0].body);
  await c.commerce.carts.addItem(add);
  assert.notEqual(s.seen[1].key, s.seen[0].key, 'a settled operation is over');
});

test('another input, path or helper is another operation', async () => {
  const pending = memoryStore();
  const lost = shop(broken);
  await failure(client(lost, { pending }).commerce.carts.addItem(add));
  const used = lost.seen[0].key;
  const s = shop(done);
  const c = client(s, { pending });
  await c.commerce.carts.addItem({ ...add, quantity: 2 });
  await c.commerce.carts.addItem({ ...add, cartId: 'c2' });
  await c.commerce.carts.updateItem({ cartId: 'c1', lineId: 'l1', quantity: 1 });
  assert.equal(s.seen.length, 3);
  assert.ok(!s.seen.some((r) => r.key === used));
  assert.equal((await c.pending.list()).length, 1);
});

test('the revision of a removal stands in its address and does not make it another operation', async () => {
  const pending = memoryStore();
  const lost = shop(broken);
  await failure(client(lost, { pending }).commerce.carts.removeItem({ cartId: 'c1', lineId: 'l1', expectedRevision: 4 }));
  const s = shop(done);
  await client(s, { pending }).commerce.carts.removeItem({ cartId: 'c1', lineId: 'l1', expectedRevision: 5 });
  assert.equal(s.seen[0].key, lost.seen[0].key);
  assert.equal(s.seen[0].url, 'https://shop.test/api/commerce/carts/c1/items/l1?expectedRevision=4');
});

test('two equal calls at the same time are two operations', async () => {
  let open;
  const gate = new Promise((resolve) => (open = resolve));
  const both = [];
  const s = shop(async () => {
    both.push(1);
    if (both.length === 2) open();
    await gate;
    return done();
  });
  const c = client(s);
  await Promise.all([c.commerce.carts.addItem(add), c.commerce.carts.addItem(add)]);
  assert.equal(new Set(s.seen.map((r) => r.key)).size, 2);
});

const outcomes = {
  'a success': { answers: [done], kept: false },
  'a refused input': { answers: [refusal(400, 'validation')], kept: false },
  'a missing right': { answers: [refusal(401, 'unauthenticated')], kept: false },
  'nothing there': { answers: [refusal(404, 'not_found')], kept: false },
  'a revision conflict': { answers: [refusal(409, 'cart_revision_conflict')], kept: false },
  'a rejected purchase': { answers: [refusal(422, 'out_of_stock')], kept: false },
  'a page of a proxy': { answers: [() => new Response('<h1>No</h1>', { status: 403 })], kept: false },
  'the key in use': { answers: [refusal(409, 'idempotency_in_progress', { retryable: true })], kept: true, unknown: true },
  'too many calls': { answers: [refusal(429, 'rate_limited', { retryable: true })], kept: true, unknown: false, tries: 3 },
  'a spent quota': { answers: [refusal(429, 'quota_exceeded')], kept: true, unknown: false },
  'a request that came too slowly': { answers: [refusal(408, 'truncated')], kept: true, unknown: true },
  'a broken server': { answers: [refusal(500, 'internal')], kept: true, unknown: true },
  'a busy server': { answers: [refusal(503, 'cart_busy', { retryable: true })], kept: true, unknown: true, tries: 3 },
  'a broken connection': { answers: [broken], kept: true, unknown: true, tries: 3 },
  'an answer that is none': { answers: [() => new Response('<h1>Hotel</h1>', { status: 200 })], kept: true, unknown: true },
  'a redirect': { answers: [() => new Response(null, { status: 302, headers: { location: 'https://else.where' } })], kept: true, unknown: true },
  'a missing right after a broken connection': { answers: [broken, refusal(401, 'unauthenticated')], kept: true, unknown: true, tries: 2 },
  'an expired token after a broken connection': { answers: [broken, refusal(419, 'token_expired')], kept: true, unknown: true, tries: 2 },
  'a page of a proxy after a broken connection': { answers: [broken, () => new Response('', { status: 404 })], kept: true, unknown: true, tries: 2 },
  'a refused input after a broken connection': { answers: [broken, refusal(422, 'out_of_stock')], kept: false, tries: 2 },
  'a success after a broken connection': { answers: [broken, done], kept: false, tries: 2 },
};

for (const [name, { answers, kept, unknown, tries = 1 }] of Object.entries(outcomes)) {
  test(`${name} ${kept ? 'leaves the operation pending' : 'settles the operation'}`, async () => {
    const s = shop(...answers);
    const c = client(s);
    await c.commerce.carts.addItem(add).catch(() => {});
    const left = await c.pending.list();
    assert.equal(s.seen.length, tries);
    assert.equal(left.length, kept ? 1 : 0);
    if (kept) assert.equal(left[0].unknown, unknown);
  });
}

test('a missing right settles an operation that was only ever turned away', async () => {
  const pending = memoryStore();
  await failure(client(shop(refusal(429, 'rate_limited')), { pending }).commerce.carts.addItem(add));
  const c = client(shop(refusal(401, 'unauthenticated')), { pending });
  await failure(c.commerce.carts.addItem(add));
  assert.deepEqual(await c.pending.list(), []);
});

test('resume sends what is pending with its key and its bytes, oldest first, and takes notice of carts', async () => {
  const pending = memoryStore();
  const lost = shop(broken);
  const before = client(lost, { pending });
  await failure(before.commerce.carts.addItem(add));
  await failure(before.commerce.checkouts.create({ cartId: 'c1', email: 'a@b.test' }));
  const [first, second] = [lost.seen[0], lost.seen[3]];

  const s = shop(done, refusal(422, 'out_of_stock'));
  const c = client(s, { pending });
  const [one, two] = await c.pending.resume();
  assert.deepEqual([s.seen[0].key, s.seen[0].body], [first.key, first.body]);
  assert.deepEqual([s.seen[1].key, s.seen[1].body], [second.key, second.body]);
  assert.equal(one.operation, 'carts.addItem');
  assert.equal(one.path, '/api/commerce/carts/c1/items');
  assert.equal(one.result.cart.revision, 2);
  assert.equal(one.result.receipt.revision, 2);
  assert.equal(c.commerce.carts.cached('c1').revision, 2);
  assert.equal(two.operation, 'checkouts.create');
  assert.equal(two.error.reason, 'out_of_stock');
  assert.deepEqual(await c.pending.list(), []);
  assert.deepEqual(await c.pending.resume(), []);
});

test('a token that is told only once is kept when a resumed operation brings it', async () => {
  const pending = memoryStore();
  await failure(client(shop(broken), { pending }).commerce.carts.create());
  const s = shop(answer({ cart: cart(1), cartToken: 'ct_once' }, 201), done);
  const c = client(s, { pending });
  await c.pending.resume();
  await c.commerce.carts.addItem({ cartId: 'c1', variantId: 'v1', quantity: 1 });
  assert.equal(s.seen[1].headers['X-Cart-Token'], 'ct_once');
  assert.equal(JSON.parse(s.seen[1].body).expectedRevision, 1);
});

test('an operation older than six days is dropped, never sent', async () => {
  const pending = memoryStore();
  const c = client(shop(done), { pending });
  const old = { id: 'ik_old', operation: 'carts.clear', method: 'POST', path: '/x', body: null, match: '', attempts: 1, unknown: true };
  const at = (days) => new Date(Date.now() - days * 86_400_000 - 1000).toISOString();
  pending.set(`pending:${clientKey}:ik_old`, JSON.stringify({ ...old, createdAt: at(6) }));
  pending.set(`pending:${clientKey}:ik_new`, JSON.stringify({ ...old, id: 'ik_new', createdAt: at(5) }));
  pending.set(`pending:${clientKey}:ik_bad`, '{');
  assert.deepEqual((await c.pending.list()).map((r) => r.id), ['ik_new']);
  assert.deepEqual(pending.keys(''), [`pending:${clientKey}:ik_new`]);
});

test('the pending operations of another client key are not touched', async () => {
  const pending = memoryStore();
  await failure(client(shop(broken), { pending }).commerce.carts.addItem(add));
  const s = shop(done);
  const other = client(s, { pending, clientKey: 'pk_test_other' });
  assert.deepEqual(await other.pending.list(), []);
  await other.commerce.carts.addItem(add);
  assert.equal((await client(s, { pending }).pending.list()).length, 1);
});

test('discard forgets an operation without sending it', async () => {
  const s = shop(broken);
  const c = client(s);
  await failure(c.commerce.carts.addItem(add));
  const [{ id }] = await c.pending.list();
  const sent = s.seen.length;
  await c.pending.discard(id);
  assert.deepEqual(await c.pending.list(), []);
  assert.equal(s.seen.length, sent);
});

test("the caller's own key is sent, and belongs to one input while it is pending", async () => {
  const own = { idempotencyKey: 'ik_of_the_caller_0000' };
  const pending = memoryStore();
  const lost = shop(broken);
  await failure(client(lost, { pending }).commerce.carts.addItem(add, own));
  assert.ok(lost.seen.every((r) => r.key === own.idempotencyKey));
  const s = shop(done);
  const c = client(s, { pending });
  const e = await failure(c.commerce.carts.addItem({ ...add, quantity: 2 }, own));
  assert.equal(e.reason, 'idempotency_key_reused');
  assert.equal(e.status, 0);
  assert.equal(s.seen.length, 0);
  await c.commerce.carts.addItem({ ...add, expectedRevision: 9 }, own);
  assert.equal(s.seen[0].body, lost.seen[0].body);
});

test("the caller's own key is not sent twice at the same time", async () => {
  let open;
  const gate = new Promise((resolve) => (open = resolve));
  const s = shop(() => gate.then(done));
  const c = client(s);
  const own = { idempotencyKey: 'ik_of_the_caller_0001' };
  const first = c.commerce.carts.addItem(add, own);
  const e = await failure(c.commerce.carts.addItem(add, own));
  assert.equal(e.reason, 'idempotency_in_progress');
  assert.equal(e.retryable, true);
  open();
  await first;
  assert.equal(s.seen.length, 1);
});

test('a record holds no token and no key of the shop', async () => {
  const pending = memoryStore();
  const storage = memoryStore();
  storage.set(`${clientKey}:token`, JSON.stringify({ token: 'jwt.of.customer', exp: 9e9, from: Date.now(), until: 9e15 }));
  const s = shop(broken);
  await failure(client(s, { pending, storage }).commerce.carts.addItem({ ...add, cartToken: 'ct_secret' }));
  const { headers } = s.seen[0];
  assert.equal(headers['X-Cart-Token'], 'ct_secret');
  assert.equal(headers.Authorization, 'Bearer jwt.of.customer');
  const [record] = pending.keys('').map((key) => pending.get(key));
  for (const secret of ['ct_secret', 'jwt.of.customer', clientKey]) assert.ok(!record.includes(secret), secret);
});

/** A helper, what is lost of it, and the later change that makes that out of date. */
const overtaken = {
  'an older address of the checkout': (c, n) => c.commerce.checkouts.update({ checkoutId: 'k1', email: `${n}@b.test` }),
  'an older checkout of the cart': (c, n) => c.commerce.checkouts.create({ cartId: 'c1', email: `${n}@b.test` }),
  'an older payment of the checkout': (c, n) =>
    c.commerce.paymentSessions.createAggregator({ checkoutId: 'k1', mode: 'hosted_v2', method: 'CARD_KR', redirectUrl: `https://${n}.test` }),
  'an older quantity of the line': (c, n) => c.commerce.carts.updateItem({ cartId: 'c1', lineId: 'l1', quantity: n }),
  'older codes of the previous generation': (c, n) => c.commerce.cart.updateDiscountCodes({ cartId: 'c1', discountCodes: [`${n}`] }),
  'a checkout of the cart as it was before an addition': (c, n) =>
    n === 1 ? c.commerce.checkouts.create({ cartId: 'c1', email: 'a@b.test' }) : c.commerce.carts.addItem({ cartId: 'c1', variantId: 'v', quantity: n }),
  'a clearing before an addition': (c, n) => (n === 1 ? c.commerce.cart.clear({ cartId: 'c1' }) : c.commerce.cart.addItem({ cartId: 'c1', variantId: 'v', quantity: n })),
};

for (const [name, change] of Object.entries(overtaken)) {
  test(`${name} is not sent after a newer one, and is a new operation when it is meant again`, async () => {
    const pending = memoryStore();
    const lost = shop(broken);
    await failure(change(client(lost, { pending }), 1));
    const s = shop(answer({ cart: cart(2), checkout: { id: 'k1' } }));
    const c = client(s, { pending });
    await change(c, 2);
    assert.deepEqual(await c.pending.list(), []);
    assert.deepEqual(await c.pending.resume(), []);
    await change(c, 1);
    assert.notEqual(s.seen.at(-1).key, lost.seen[0].key);
  });
}

test('a checkout of another state of the cart is another checkout', async () => {
  const pending = memoryStore();
  const lost = shop(broken);
  await failure(client(lost, { pending }).commerce.checkouts.create({ cartId: 'c1', email: 'a@b.test', expectedRevision: 1 }));
  const s = shop(answer({ checkout: { id: 'k1' } }));
  await client(s, { pending }).commerce.checkouts.create({ cartId: 'c1', email: 'a@b.test', expectedRevision: 2 });
  assert.notEqual(s.seen[0].key, lost.seen[0].key);
  assert.equal(JSON.parse(s.seen[0].body).expectedRevision, 2);
});

test('an operation that somebody else has settled meanwhile stays settled', async () => {
  const pending = memoryStore();
  const s = shop(() => {
    for (const key of pending.keys('')) pending.remove(key);
    return refusal(409, 'idempotency_in_progress', { retryable: true })();
  });
  const c = client(s, { pending });
  await failure(c.commerce.carts.addItem(add));
  assert.deepEqual(await c.pending.list(), []);
});

test('what is added, and what concerns something else, stays pending when another change succeeds', async () => {
  const pending = memoryStore();
  const before = client(shop(broken), { pending });
  await failure(before.commerce.carts.addItem(add));
  await failure(before.commerce.checkouts.create({ cartId: 'c9', email: 'a@b.test' }));
  await failure(before.commerce.carts.create());
  const c = client(shop(answer({ cart: cart(2), checkout: { id: 'k1' } })), { pending });
  await c.commerce.carts.clear({ cartId: 'c1', expectedRevision: 1 });
  await c.commerce.checkouts.create({ cartId: 'c1', email: 'a@b.test' });
  assert.deepEqual((await c.pending.list()).map((r) => r.operation), ['carts.addItem', 'checkouts.create', 'carts.create']);
});

test('resume sends changes of the same thing in their order, the last one last', async () => {
  const pending = memoryStore();
  const before = client(shop(broken), { pending });
  for (const n of [1, 2]) await failure(before.commerce.checkouts.update({ checkoutId: 'k1', email: `${n}@b.test` }));
  const s = shop(answer({ checkout: { id: 'k1' } }));
  assert.equal((await client(s, { pending }).pending.resume()).length, 2);
  assert.deepEqual(s.seen.map((r) => JSON.parse(r.body).email), ['1@b.test', '2@b.test']);
});

test('inputs are compared as they go out', async () => {
  const pending = memoryStore();
  const keys = { clientKey: 'pk_test_a', secretKey: 'sk_test_a', baseUrl: 'https://shop.test', pending };
  const lost = shop(broken);
  const retry = { attempts: 1 };
  await failure(createServerClient({ ...keys, fetch: lost.fetch, retry }).collections.from('discounts').create({ code: 'A', startsAt: new Date(0) }));
  const s = shop(answer({ doc: {} }));
  await createServerClient({ ...keys, fetch: s.fetch }).collections.from('discounts').create({ code: 'A', startsAt: new Date(1e12) });
  assert.notEqual(s.seen[0].key, lost.seen[0].key);
  assert.equal(JSON.parse(s.seen[0].body).startsAt, new Date(1e12).toISOString());
  const circle = {};
  circle.circle = circle;
  const c = createServerClient({ ...keys, fetch: s.fetch });
  for (const bad of [circle, { price: 5n }]) assert.equal((await failure(c.collections.from('brands').create(bad))).reason, 'invalid_request');
});

test('operations of another secret key are left alone', async () => {
  const pending = memoryStore();
  const keys = { clientKey: 'pk_test_a', baseUrl: 'https://shop.test', pending, retry: { attempts: 1 } };
  await failure(createServerClient({ ...keys, secretKey: 'sk_test_a', fetch: shop(broken).fetch }).commerce.carts.create());
  const s = shop(done);
  assert.deepEqual(await createServerClient({ ...keys, secretKey: 'sk_test_b', fetch: s.fetch }).pending.resume(), []);
  assert.ok(!pending.keys('').some((key) => key.includes('sk_')));
});

test('a token that is told only once is kept before the operation is called settled', async () => {
  const pending = memoryStore();
  const storage = memoryStore();
  let left;
  const { set } = storage;
  storage.set = (key, value) => {
    if (key.endsWith(':cart:c1')) left = pending.keys('').length;
    set(key, value);
  };
  await client(shop(answer({ cart: cart(1), cartToken: 'ct_1' }, 201)), { pending, storage }).commerce.carts.create();
  assert.equal(left, 1);
  assert.equal(pending.keys('').length, 0);
});

test('what is aborted before it is sent never happens', async () => {
  const stop = new AbortController();
  const pending = memoryStore();
  const { set } = pending;
  pending.set = async (key, value) => {
    await set(key, value);
    stop.abort();
  };
  const s = shop(done);
  const c = client(s, { pending });
  assert.equal((await failure(c.commerce.carts.addItem(add, { signal: stop.signal }))).reason, 'aborted');
  assert.equal(s.seen.length, 0);
  assert.deepEqual(await c.pending.list(), []);
});

test('what is aborted before it is sent again stays as pending as it was', async () => {
  const pending = memoryStore();
  const before = client(shop(broken), { pending });
  await failure(before.commerce.carts.addItem(add));
  const stop = new AbortController();
  const { set } = pending;
  pending.set = async (key, value) => {
    await set(key, value);
    stop.abort();
  };
  await failure(before.commerce.carts.addItem(add, { signal: stop.signal }));
  const [left] = await before.pending.list();
  assert.deepEqual([left.attempts, left.unknown], [3, true]);
});

test('an operation that a clock dates into the future is dropped', async () => {
  const pending = memoryStore();
  const c = client(shop(broken), { pending });
  await failure(c.commerce.carts.addItem(add));
  const [key] = pending.keys('');
  const ahead = new Date(Date.now() + 30 * 86_400_000).toISOString();
  pending.set(key, JSON.stringify({ ...JSON.parse(pending.get(key)), createdAt: ahead }));
  assert.deepEqual(await c.pending.list(), []);
});

test('an answer in JSON that is no object leaves the operation pending', async () => {
  for (const body of ['x', 5, true, null]) {
    const c = client(shop(answer(body)));
    const e = await failure(c.commerce.carts.addItem(add));
    assert.equal(e.reason, 'invalid_response');
    assert.equal((await c.pending.list()).length, 1);
  }
});

test('a settled operation that the store keeps is not sent again', async () => {
  const pending = { ...memoryStore(), remove: () => Promise.reject(new Error('stuck')) };
  const s = shop(done);
  const c = client(s, { pending });
  await c.commerce.carts.addItem(add);
  await c.commerce.carts.addItem(add);
  assert.notEqual(s.seen[0].key, s.seen[1].key);
  assert.deepEqual(await c.pending.resume(), []);
});

test('a memory of limited size lets go of the oldest', () => {
  const store = memoryStore(2);
  for (const key of ['a', 'b', 'c']) store.set(key, key);
  assert.deepEqual(store.keys(''), ['b', 'c']);
});

test('an operation that another tab is at is left alone', async (t) => {
  const pending = memoryStore();
  const lost = shop(broken);
  await failure(client(lost, { pending }).commerce.carts.addItem(add));
  const taken = `cartwright:${lost.seen[0].key}`;
  const locks = { request: async (name, how, work) => work(how.ifAvailable && name === taken ? null : { name }) };
  const was = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  Object.defineProperty(globalThis, 'navigator', { value: { locks }, configurable: true });
  t.after(() => (was ? Object.defineProperty(globalThis, 'navigator', was) : delete globalThis.navigator));

  const s = shop(done);
  const c = client(s, { pending });
  assert.deepEqual(await c.pending.resume(), []);
  assert.equal(s.seen.length, 0);
  await c.commerce.carts.addItem(add);
  assert.notEqual(s.seen[0].key, lost.seen[0].key);
});

test('an operation that another tab has just settled is not sent again', async (t) => {
  const pending = memoryStore();
  const lost = shop(broken);
  await failure(client(lost, { pending }).commerce.carts.addItem(add));
  const [key] = pending.keys('');
  const locks = {
    request: async (_name, _how, work) => {
      pending.remove(key);
      return work({});
    },
  };
  const was = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  Object.defineProperty(globalThis, 'navigator', { value: { locks }, configurable: true });
  t.after(() => (was ? Object.defineProperty(globalThis, 'navigator', was) : delete globalThis.navigator));
  const s = shop(done);
  assert.deepEqual(await client(s, { pending }).pending.resume(), []);
  assert.equal(s.seen.length, 0);
});
