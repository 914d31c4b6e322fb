// What becomes of a change whose outcome the client does not know: after a reload, beside newer changes, when the caller gives
// up, and when the shop asks for patience.
import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { Worker } from 'node:worker_threads';
import { createClient, createCommerceIdempotencyKey, memoryStore } from '@cartwright/sdk';
import { FaultProxy, refused, Shop, until } from '../stage.mjs';
import { folderStore } from './page.mjs';

let shop, proxy, mug, storage, pending, client, cartId, cartToken, straight;

before(async () => {
  shop = await Shop.found('Pending');
  proxy = await FaultProxy.start();
  mug = await shop.product();
  straight = createClient({ clientKey: shop.testClientKey, baseUrl: shop.baseUrl });
});

// Each test has a visitor of its own with a cart at revision 1, and a client that has seen it.
beforeEach(async () => {
  storage = memoryStore();
  pending = memoryStore();
  ({
    cart: { id: cartId },
    cartToken,
  } = await straight.commerce.carts.create({}));
  client = opened();
  await client.commerce.carts.retrieve({ cartId, cartToken });
  await proxy.forget();
});

/** opened is the page of the visitor, or what is there after a reload. It tries once, unless it is told otherwise. */
const opened = (config) =>
  createClient({ clientKey: shop.testClientKey, baseUrl: proxy.url, storage, pending, retry: { attempts: 1, baseDelay: 1 }, ...config });

const add = (by = client, options) => by.commerce.carts.addItem({ cartId, variantId: mug.variant, quantity: 1 }, options);

/** lost has a change happen without its client hearing of it. */
async function lost() {
  await proxy.next({ kind: 'drop', method: 'POST' });
  await refused(add(), 'network_error');
}

/** now is the cart as the server has it. */
const now = async () => await shop.must('GET', `/api/carts/${cartId}`);

/** changes are the requests that were to change something. */
const changes = async () => (await proxy.requests()).filter((r) => r.method !== 'GET');

test('after a reload the same call is the same change', async () => {
  await lost();
  client = opened();
  await client.commerce.carts.retrieve({ cartId });
  const { cart } = await add();
  const [first, second, ...others] = await changes();
  assert.deepEqual([second.key, second.body, second.replayed, others], [first.key, first.body, true, []]);
  assert.deepEqual([cart.lines[0].quantity, (await now()).revision], [1, 2]);
  assert.deepEqual(await client.pending.list(), []);
});

test('after a reload what is pending is resumed', async () => {
  await lost();
  client = opened();
  const [left] = await client.pending.list();
  const [first] = await changes();
  assert.deepEqual(
    [left.id, left.operation, left.body, left.path, left.unknown],
    [first.key, 'carts.addItem', first.body, first.path, true],
  );
  const [{ operation, path, result, error }, ...others] = await client.pending.resume();
  assert.deepEqual([operation, path, error, others], ['carts.addItem', first.path, undefined, []]);
  assert.equal(result.cart.lines[0].quantity, 1);
  assert.deepEqual(client.commerce.carts.cached(cartId), result.cart);
  assert.deepEqual(
    (await changes()).map((r) => [r.key, r.body]),
    [
      [first.key, first.body],
      [first.key, first.body],
    ],
  );
  assert.equal((await now()).revision, 2);
});

test('a page that closes before the answer comes leaves its change to the next one', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-pages-'));
  t.after(() => rm(folder, { recursive: true }));
  const hold = await proxy.next({ kind: 'hold', method: 'POST' });
  const config = { clientKey: shop.testClientKey, baseUrl: proxy.url };
  const input = { cartId, cartToken, variantId: mug.variant, quantity: 1, expectedRevision: 1 };
  const page = new Worker(new URL('./page.mjs', import.meta.url), { workerData: { folder, config, input } });
  await hold.struck();
  await page.terminate();
  client = opened({ storage: folderStore(folder), pending: folderStore(folder) });
  const [{ result }] = await client.pending.resume();
  await hold.release();
  assert.equal(result.receipt.revision, 2);
  const [first, second, ...others] = await changes();
  assert.deepEqual([second.key, second.body, second.replayed, others], [first.key, first.body, true, []]);
  assert.equal((await now()).revision, 2);
});

test('what was resumed and refused is told, and settled', async () => {
  await proxy.next({ kind: 'reset', method: 'POST' });
  await refused(add(), 'network_error'); // it did not happen
  await straight.commerce.carts.clear({ cartId, cartToken }); // and cannot any more
  const [{ error }] = await client.pending.resume();
  assert.deepEqual([error.reason, error.status, error.data.currentRevision], ['cart_revision_conflict', 409, 2]);
  assert.deepEqual(await client.pending.list(), []);
});

test('a discarded change is not sent again', async () => {
  await lost();
  const [left] = await client.pending.list();
  await client.pending.discard(left.id);
  assert.deepEqual(await opened().pending.resume(), []);
  assert.equal((await changes()).length, 1);
});

test('a replayed older answer replaces no newer cart', async () => {
  await lost();
  await client.commerce.carts.retrieve({ cartId });
  const { cart: newer } = await client.commerce.carts.updateAttributes({ cartId, attributes: { note: 'newer' } });
  assert.equal(newer.revision, 3);
  const [{ result }] = await client.pending.resume();
  assert.deepEqual([result.receipt.revision, result.receipt.attributes], [2, {}]);
  assert.deepEqual([result.cart, client.commerce.carts.cached(cartId)], [newer, newer]);
});

test('a change that was overtaken by a later one is not sent any more', async () => {
  await add();
  const { checkout } = await client.commerce.checkouts.create({ cartId, email: 'first@example.com' });
  const email = (text) => client.commerce.checkouts.update({ checkoutId: checkout.id, email: text });
  await proxy.next({ kind: 'reset', method: 'PATCH' });
  await refused(email('mistyped@example.com'), 'network_error');
  await email('right@example.com');
  assert.deepEqual([await client.pending.list(), await client.pending.resume()], [[], []]);
  assert.equal((await shop.must('GET', `/api/checkouts/${checkout.id}`)).email, 'right@example.com');
});

test('a checkout of a cart that has changed since is a new one', async () => {
  await add();
  const open = () => client.commerce.checkouts.create({ cartId, email: 'kim@example.com' });
  await proxy.next({ kind: 'drop', method: 'POST', path: '/checkouts$' });
  await refused(open(), 'network_error');
  await add();
  const { checkout } = await open();
  assert.equal(checkout.lines[0].quantity, 2);
  const [first, second] = (await changes()).filter((r) => r.path.endsWith('/checkouts'));
  assert.notEqual(second.key, first.key);
  assert.deepEqual(await client.pending.list(), []);
});

test('a revision conflict is sent once, and the next try is a new change', async () => {
  await straight.commerce.carts.clear({ cartId, cartToken });
  client = opened({ retry: { attempts: 5, baseDelay: 1 } });
  const stale = () => client.commerce.carts.addItem({ cartId, variantId: mug.variant, quantity: 1, expectedRevision: 1 });
  const failure = await refused(stale(), 'cart_revision_conflict');
  assert.deepEqual([failure.status, failure.retryable, failure.data.currentRevision], [409, false, 2]);
  assert.deepEqual(await client.pending.list(), []);
  await refused(stale(), 'cart_revision_conflict');
  await client.commerce.carts.retrieve({ cartId });
  assert.equal((await add()).cart.revision, 3);
  assert.equal(new Set((await changes()).map((r) => r.key)).size, 3);
});

test('two clicks at once are two changes, of which one is too late', async () => {
  const both = await Promise.allSettled([add(), add()]);
  assert.deepEqual(both.map((r) => r.reason?.reason ?? 'done').sort(), ['cart_revision_conflict', 'done']);
  const [first, second, ...others] = await changes();
  assert.notEqual(first.key, second.key);
  assert.deepEqual([others, (await now()).revision], [[], 2]);
});

test('the caller’s own key stands for one change', async () => {
  const idempotencyKey = createCommerceIdempotencyKey();
  await proxy.next({ kind: 'drop', method: 'POST' });
  await refused(add(client, { idempotencyKey }), 'network_error');
  const other = () => client.commerce.carts.addItem({ cartId, variantId: mug.variant, quantity: 7 }, { idempotencyKey });
  const local = await refused(other(), 'idempotency_key_reused');
  assert.deepEqual([local.status, (await changes()).length], [0, 1]);
  await add(client, { idempotencyKey });
  assert.equal((await refused(other(), 'idempotency_key_reused')).status, 422); // settled here, and remembered there
  assert.deepEqual(
    (await changes()).map((r) => r.key),
    [idempotencyKey, idempotencyKey, idempotencyKey],
  );
});

/** patiently runs work with a clock on which waits end at once, and answers how long they would have been. */
async function patiently(work) {
  const waits = [];
  const real = globalThis.setTimeout;
  globalThis.setTimeout = (then, ms, ...args) => {
    if (ms < 29_000) waits.push(ms); // longer ones are the timeouts of tries
    return real(then, ms < 29_000 ? 0 : ms, ...args);
  };
  try {
    await work();
  } finally {
    globalThis.setTimeout = real;
  }
  return waits;
}

const limited = (seconds) => ({
  kind: 'status',
  status: 429,
  header: { 'Retry-After': `${seconds}` },
  method: 'POST',
  body: JSON.stringify({
    errors: [{ message: 'Slowly.', extensions: { code: 'RATE_LIMITED', reason: 'rate_limited', retryable: true, retryAfter: seconds } }],
  }),
});

test('a limit is waited for as long as it says', async () => {
  client = opened({ retry: { attempts: 3, baseDelay: 1 } });
  await client.commerce.carts.retrieve({ cartId });
  await proxy.next(limited(2));
  const waits = await patiently(() => add());
  assert.equal(waits.length, 1);
  assert.ok(waits[0] >= 2000 && waits[0] < 3000, `it waited ${waits[0]} ms`);
  const [first, second] = await changes();
  assert.deepEqual([second.key, second.body, first.forwarded ?? false, second.answer], [first.key, first.body, false, 200]);
});

test('a limit that lasts is told, and the same change goes on later', async () => {
  client = opened({ retry: { attempts: 3, baseDelay: 1 } });
  await client.commerce.carts.retrieve({ cartId });
  await proxy.next(limited(31));
  const failure = await refused(add(), 'rate_limited');
  assert.deepEqual([failure.status, failure.retryable, failure.retryAfter, failure.code], [429, true, 31, 'RATE_LIMITED']);
  assert.deepEqual(
    (await client.pending.list()).map((p) => p.unknown),
    [false],
  );
  await add();
  const [first, second, ...others] = await changes();
  assert.deepEqual([second.key, others], [first.key, []]);
});

test('waits grow, are spread, and end', async () => {
  client = opened({ retry: { attempts: 6, baseDelay: 100, maxDelay: 400 } });
  await client.commerce.carts.retrieve({ cartId });
  await proxy.next({ kind: 'status', status: 503, method: 'POST', times: 6 });
  const waits = await patiently(() => refused(add(), 'invalid_response'));
  assert.equal(waits.length, 5);
  for (const [i, most] of [100, 200, 400, 400, 400].entries()) assert.ok(waits[i] >= 0 && waits[i] <= most, `${waits}`);
  assert.equal((await changes()).length, 6);
  assert.equal((await client.pending.list()).length, 1);
});

test('what is not to be repeated is not', async () => {
  client = opened({ retry: { attempts: 3, baseDelay: 1 } });
  await client.commerce.carts.retrieve({ cartId });
  const body = JSON.stringify({
    errors: [{ message: 'Closed.', extensions: { code: 'UNAVAILABLE', reason: 'closed', retryable: false } }],
  });
  await proxy.next({ kind: 'status', status: 503, method: 'POST', body });
  await refused(add(), 'closed');
  await proxy.next({ kind: 'status', status: 500, method: 'POST' });
  await refused(add(), 'invalid_response');
  assert.deepEqual(
    (await changes()).map((r) => r.fault),
    ['status', 'status'],
  );
  await add();
  assert.equal(new Set((await changes()).map((r) => r.key)).size, 1);
});

test('a refusal for lack of a right does not settle what may have happened', async () => {
  await lost();
  const body = JSON.stringify({ errors: [{ message: 'Who?', extensions: { code: 'UNAUTHENTICATED', reason: 'unauthenticated' } }] });
  await proxy.next({ kind: 'status', status: 401, method: 'POST', body });
  await refused(add(), 'unauthenticated');
  assert.equal((await add()).receipt.revision, 2);
  assert.equal(new Set((await changes()).map((r) => r.key)).size, 1);
});

test('a caller who gave up before sends nothing', async () => {
  await refused(add(client, { signal: AbortSignal.abort() }), 'aborted');
  await refused(client.commerce.carts.retrieve({ cartId }, { signal: AbortSignal.abort() }), 'aborted');
  assert.deepEqual([await proxy.requests(), await client.pending.list()], [[], []]);
});

test('a caller who gives up in between leaves a pending change', async () => {
  const delay = await proxy.next({ kind: 'delay', method: 'POST' });
  const control = new AbortController();
  const given = add(client, { signal: control.signal });
  await delay.struck();
  control.abort();
  const failure = await refused(given, 'aborted');
  assert.deepEqual([failure.status, failure.retryable], [0, false]);
  assert.equal((await client.pending.list()).length, 1);
  const [{ result }] = await client.pending.resume();
  await delay.release();
  await until(async () => (await changes())[0].answer);
  assert.deepEqual([result.receipt.revision, (await now()).revision], [2, 2]);
});

test('a caller who gives up a wait leaves a pending change', async () => {
  client = opened({ retry: { attempts: 2, baseDelay: 1 } });
  await client.commerce.carts.retrieve({ cartId });
  const limit = await proxy.next(limited(20));
  const control = new AbortController();
  const given = add(client, { signal: control.signal });
  await limit.struck();
  control.abort();
  await refused(given, 'aborted');
  assert.deepEqual([(await changes()).length, (await client.pending.list()).length], [1, 1]);
});

test('a read is repeated, and needs no key', async () => {
  client = opened({ retry: { attempts: 2, baseDelay: 1 } });
  await proxy.next({ kind: 'drop' });
  assert.equal((await client.commerce.carts.retrieve({ cartId })).cart.id, cartId);
  assert.deepEqual(
    (await proxy.requests()).map((r) => [r.method, r.key ?? '']),
    [
      ['GET', ''],
      ['GET', ''],
    ],
  );
});

test('nothing is sent that could not be written down before', async () => {
  const full = {
    ...memoryStore(),
    set: () => {
      throw new Error('the disk is full');
    },
  };
  client = opened({ pending: full });
  await client.commerce.carts.retrieve({ cartId });
  const failure = await refused(add(), 'pending_store_failed');
  assert.deepEqual([failure.cause.message, await changes()], ['the disk is full', []]);
});

test('it is written down before it is sent', async () => {
  const order = [];
  const noted = {
    ...pending,
    set: async (key, value) => {
      order.push('kept');
      await pending.set(key, value);
    },
  };
  client = opened({
    pending: noted,
    fetch: (...args) => {
      order.push('sent');
      return fetch(...args);
    },
  });
  await client.commerce.carts.retrieve({ cartId });
  order.length = 0;
  await add();
  assert.deepEqual(order.slice(0, 2), ['kept', 'sent']);
});

test('what is older than six days is forgotten, not sent', async () => {
  await lost();
  const [key] = await pending.keys('');
  const record = JSON.parse(await pending.get(key));
  const age = (days) => pending.set(key, JSON.stringify({ ...record, createdAt: new Date(Date.now() - days * 86_400_000).toISOString() }));
  await age(5.9);
  assert.equal((await client.pending.list()).length, 1);
  await age(6.1);
  assert.deepEqual([await client.pending.resume(), await client.pending.list(), await pending.keys('')], [[], [], []]);
  assert.equal((await changes()).length, 1);
});

test('neither what is kept nor a failure tells a token', async () => {
  await proxy.next({ kind: 'drop', method: 'POST' });
  const failure = await refused(add(), 'network_error');
  const kept = await Promise.all((await pending.keys('')).map((key) => pending.get(key)));
  assert.equal(kept.length, 1);
  const [{ key }] = await changes();
  for (const text of [...kept, inspect(failure, { depth: 9 }), JSON.stringify(failure)]) assert.ok(!text.includes(cartToken), text);
  assert.ok(!inspect(failure, { depth: 9 }).includes(key));
  assert.ok(!(await proxy.requests()).some((r) => r.path.includes(cartToken) || r.body.includes(cartToken)));
});
