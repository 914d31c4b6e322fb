import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommerceSDKError } from '@cartwright/sdk';
import { createServerClient } from '@cartwright/sdk/server';
import { answer, broken, cart, client, failure, refusal, shop } from './fake.mjs';

const add = { cartId: 'c1', variantId: 'v1', quantity: 1, expectedRevision: 1 };
const read = (c) => c.commerce.product.listingPage();
const write = (c) => c.commerce.carts.addItem(add);
const safe = (c) => c.commerce.discounts.validate({ code: 'X', orderAmount: 1 });

/** Answers of somebody on the way, not of the shop. */
const page = (status) => () => new Response('<h1>Bad</h1>', { status });

const tries = {
  'a broken connection': { first: broken, again: true },
  '429 that passes': { first: refusal(429, 'rate_limited', { retryable: true }), again: true },
  '502 of a proxy': { first: page(502), again: true },
  '503 of a proxy': { first: page(503), again: true },
  '504 of a proxy': { first: page(504), again: true },
  '503 of the shop': { first: refusal(503, 'cart_busy', { retryable: true }), again: true },
  '503 that the shop calls final': { first: refusal(503, 'gone', { retryable: false }), again: false },
  '502 that the shop does not call retryable': { first: refusal(502, 'provider_rejected'), again: false },
  '429 for more than half a minute': { first: refusal(429, 'rate_limited', { retryable: true, retryAfter: 31 }), again: false },
  '429 of a spent quota': { first: refusal(429, 'quota_exceeded'), again: false },
  '500': { first: page(500), again: false },
  '408': { first: page(408), again: false },
  '409 of a key in use': { first: refusal(409, 'idempotency_in_progress', { retryable: true, retryAfter: 1 }), again: false },
  '409 of a revision': { first: refusal(409, 'cart_revision_conflict', {}, { currentRevision: 7 }), again: false },
  '400': { first: refusal(400, 'validation', { retryable: true }), again: false },
  '401': { first: refusal(401, 'unauthenticated'), again: false },
};

for (const [name, { first, again }] of Object.entries(tries)) {
  test(`${name} ${again ? 'is tried again' : 'is not tried again'}`, async () => {
    for (const call of [read, write, safe]) {
      const s = shop(first, answer({ cart: cart(2), valid: true, docs: [] }));
      await call(client(s)).catch(() => {});
      assert.equal(s.seen.length, again ? 2 : 1);
      assert.equal(new Set(s.seen.map((r) => r.body)).size, 1);
      assert.equal(new Set(s.seen.map((r) => r.key)).size, 1);
    }
  });
}

test('a login is never tried again', async () => {
  const s = shop(page(503));
  await failure(client(s).customers.login({ email: 'a@b.test', password: 'pw' }));
  assert.equal(s.seen.length, 1);
});

test('the number of tries is the one that was asked for', async () => {
  const s = shop(page(503));
  await failure(read(client(s, { retry: { attempts: 5, baseDelay: 1, maxDelay: 1 } })));
  assert.equal(s.seen.length, 5);
});

/** Waits are not waited for, but written down. */
function waits(t) {
  const list = [];
  const real = globalThis.setTimeout;
  t.mock.method(globalThis, 'setTimeout', (work, ms) => {
    if (ms === 30_000) return real(work, ms); // the limit of a try
    list.push(ms);
    return real(work, 0);
  });
  return list;
}

test('waits are random below a limit that doubles up to a highest one', async (t) => {
  const list = waits(t);
  t.mock.method(Math, 'random', () => 0.999);
  const s = shop(page(503));
  await failure(read(client(s, { retry: { attempts: 6, baseDelay: 100, maxDelay: 500 } })));
  assert.deepEqual(list.map(Math.ceil), [100, 200, 400, 500, 500]);
  list.length = 0;
  t.mock.method(Math, 'random', () => 0);
  await failure(read(client(s, { retry: { attempts: 3, baseDelay: 100 } })));
  assert.deepEqual(list, [0, 0]);
});

test('the shop is given the time it asks for, in its body or in the header', async (t) => {
  const list = waits(t);
  const ok = answer({ docs: [] });
  await read(client(shop(refusal(503, 'cart_busy', { retryable: true, retryAfter: 2 }), ok)));
  await read(client(shop(() => new Response('', { status: 503, headers: { 'retry-after': '3' } }), ok)));
  const date = new Date(Date.now() + 5000).toUTCString();
  await read(client(shop(() => new Response('', { status: 503, headers: { 'retry-after': date } }), ok)));
  assert.equal(list.length, 3);
  assert.ok(list[0] >= 2000 && list[0] < 2100, `${list[0]}`);
  assert.ok(list[1] >= 3000 && list[1] < 3100, `${list[1]}`);
  assert.ok(list[2] > 2500 && list[2] < 5100, `${list[2]}`);
});

/** Never answers, as a connection that hangs. */
const hangs = (init) =>
  new Promise((_, reject) => {
    init.signal.addEventListener('abort', () => reject(init.signal.reason));
  });

test('a try that takes too long ends, and the call with it', async () => {
  const s = shop(hangs);
  const c = client(s, { timeout: 5 });
  const e = await failure(write(c));
  assert.equal(e.reason, 'timeout');
  assert.equal(e.retryable, true);
  assert.equal(s.seen.length, 1);
  assert.equal((await c.pending.list()).length, 1);
  const own = await failure(client(shop(hangs)).commerce.product.listingPage({}, { timeout: 5 }));
  assert.equal(own.reason, 'timeout');
});

test('a call asks for the language of now, where one is said', async () => {
  let language = 'ko';
  const s = shop(answer({ docs: [] }), answer({ docs: [] }), answer({ docs: [] }));
  const c = client(s, { language: () => language });
  await c.commerce.product.listingPage({});
  language = 'en';
  await c.commerce.product.listingPage({});
  await client(s).commerce.product.listingPage({});
  assert.deepEqual(s.seen.map(({ headers }) => headers['Accept-Language']), ['ko', 'en', undefined]);
});

test('an answer that breaks off is a broken connection', async () => {
  const half = () =>
    new Response(
      new ReadableStream({
        start(to) {
          to.enqueue(new TextEncoder().encode('{"cart":'));
          to.error(new TypeError('terminated'));
        },
      }),
    );
  const s = shop(half, answer({ cart: cart(2) }));
  const got = await write(client(s));
  assert.equal(got.cart.revision, 2);
  assert.equal(s.seen[0].key, s.seen[1].key);
});

test('the caller ends a call: before it is sent, on its way, and between two tries', async () => {
  const early = shop(answer({}));
  const c = client(early);
  assert.equal((await failure(c.commerce.carts.addItem(add, { signal: AbortSignal.abort() }))).reason, 'aborted');
  assert.equal((await failure(c.commerce.product.listingPage({}, { signal: AbortSignal.abort() }))).reason, 'aborted');
  assert.equal(early.seen.length, 0);
  assert.deepEqual(await c.pending.list(), []);

  const stop = new AbortController();
  const s = shop((init) => {
    queueMicrotask(() => stop.abort());
    return hangs(init);
  });
  const midway = client(s);
  const e = await failure(midway.commerce.carts.addItem(add, { signal: stop.signal }));
  assert.equal(e.reason, 'aborted');
  assert.equal((await midway.pending.list()).length, 1);

  const later = new AbortController();
  const busy = shop(() => {
    setImmediate(() => later.abort());
    return page(503)();
  });
  const between = await failure(client(busy, { retry: { baseDelay: 1e6, maxDelay: 1e6 } }).commerce.product.listingPage({}, { signal: later.signal }));
  assert.equal(between.reason, 'aborted');
  assert.equal(busy.seen.length, 1);
});

test('a refusal says what the shop says', async () => {
  const conflict = await failure(write(client(shop(refusal(409, 'cart_revision_conflict', { retryAfter: 2 }, { currentRevision: 7 })))));
  assert.ok(conflict instanceof CommerceSDKError && conflict instanceof Error);
  const { reason, status, code, retryable, retryAfter, requestId, data } = conflict;
  assert.deepEqual(
    { reason, status, code, retryable, retryAfter, requestId, data },
    { reason: 'cart_revision_conflict', status: 409, code: 'CODE', retryable: false, retryAfter: 2, requestId: 'r-head', data: { currentRevision: 7 } },
  );
  assert.equal(String(conflict), 'CommerceSDKError: No.');
  const fields = [{ field: 'quantity', message: 'At least 1.' }];
  assert.deepEqual((await failure(write(client(shop(refusal(400, 'validation', {}, fields)))))).fields, fields);
});

test('what cannot be sent is refused here', async () => {
  const s = shop(answer({}));
  const c = client(s);
  assert.equal((await failure(c.commerce.carts.retrieve({}))).reason, 'invalid_request');
  assert.equal((await failure(c.commerce.carts.updateItem({ cartId: 'c1', lineId: '' }))).reason, 'invalid_request');
  const bad = await failure(c.commerce.carts.retrieve({ cartId: 'c1', cartToken: 'ct_with\nnewline' }));
  assert.equal(bad.reason, 'invalid_request');
  assert.ok(!JSON.stringify(bad).includes('ct_with') && !String(bad).includes('ct_with'));
  assert.equal(s.seen.length, 0);
});

test('ids and filters that would lead elsewhere are refused here', async () => {
  const s = shop(answer({}));
  const c = createServerClient({ clientKey: 'pk_test_a', secretKey: 'sk_test_a', baseUrl: 'https://shop.test', fetch: s.fetch });
  const products = c.collections.from('products');
  const calls = [
    ...['.', '..', '', undefined].flatMap((id) => [
      () => products.update(id, { name: 'N' }), () => products.remove(id), () => products.findById(id), () => c.commerce.orders.cancel({ orderId: id, reason: 'r' }),
      () => c.commerce.carts.removeItem({ cartId: id, lineId: id }),
    ]),
    ...[undefined, {}, { where: undefined }, { where: 'all' }].flatMap((input) => [() => products.removeMany(input), () => products.updateMany(input)]),
  ];
  for (const call of calls) assert.equal((await failure(call())).reason, 'invalid_request', String(call));
  for (const slug of ['..', '', 'a/b', undefined]) assert.throws(() => c.collections.from(slug), { reason: 'invalid_request' });
  assert.equal(s.seen.length, 0);
  await products.update('a b', { id: 'a b', name: 'N' });
  assert.equal(s.seen[0].url, 'https://shop.test/api/products/a%20b');
  assert.deepEqual(JSON.parse(s.seen[0].body), { id: 'a b', name: 'N' });
  await products.removeMany({ where: { name: { equals: 'A & B' } } });
  assert.deepEqual(JSON.parse(new URL(s.seen[1].url).searchParams.get('where')), { name: { equals: 'A & B' } });
  assert.equal(s.seen[1].body, null);
});

test('a limit without end is none that ends at once', async () => {
  const s = shop(answer({ docs: [] }));
  await client(s).commerce.product.listingPage({}, { timeout: Infinity });
  assert.equal(s.seen.length, 1);
});

test('no failure tells a token or what was sent', async () => {
  const secret = { cartToken: 'ct_veryverysecret', attributes: { note: 'private words' } };
  for (const first of [broken, page(500), refusal(422, 'out_of_stock'), () => new Response('ct_veryverysecret', { status: 200 })]) {
    const e = await failure(client(shop(first)).commerce.carts.addItem({ ...add, ...secret }));
    for (const text of [String(e), e.stack, JSON.stringify(e)]) {
      assert.ok(!text.includes('veryverysecret'), text);
      assert.ok(!text.includes('private words'), text);
      assert.ok(!text.includes('ik_'), text);
    }
  }
});
