import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryStore } from '@cartwright/sdk';
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
    const pending = { ...memoryStore(), [broke]: () => Promise.reject(new Error('full')) };
    const own = broke === 'get' ? { idempotencyKey: 'ik_of_the_caller_0000' } : undefined;
    const e = await failure(client(s, { pending }).commerce.carts.addItem(add, own));
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
  const key = `pending:${clientKey}:${lost.seen[0].key}`;
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
