import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOperatorClient } from '@cartwright/sdk/operator';
import { answer, broken, failure, refusal, shop } from './fake.mjs';

const at = { user: 'u1', tenant: 't1', environment: 'test' };

/** An operator at a fake shop who never waits long. */
const operator = (from, more = {}) =>
  createOperatorClient({ baseUrl: 'https://shop.test', fetch: from.fetch, retry: { attempts: 2, baseDelay: 1, maxDelay: 1 }, workplace: () => at, ...more });

const order = answer({ order: { id: 'o1' } });

test('a call says where the operator is at work, and has a key', async () => {
  const s = shop(order);
  await operator(s, { via: 'console' }).call('POST /api/orders/{id}/cancel', { id: 'o1', reason: 'x' });
  const [{ url, headers, body, key }] = s.seen;
  assert.equal(url, 'https://shop.test/api/orders/o1/cancel');
  assert.deepEqual(JSON.parse(body), { reason: 'x' });
  assert.equal(headers['X-Tenant-Id'], 't1');
  assert.equal(headers['X-Environment'], 'test');
  assert.equal(headers['X-Via'], 'console');
  assert.equal(headers['X-Client-Key'], undefined);
  assert.ok(key.length >= 16);
});

test('a change whose outcome is unknown is sent again under its key, for the same shop only', async () => {
  const s = shop(broken);
  let here = at;
  const o = operator(s, { workplace: () => here });
  const cancel = () => o.call('POST /api/orders/{id}/cancel', { id: 'o1', reason: 'x' });
  await failure(cancel());
  here = { ...at, tenant: 't2' };
  await failure(cancel());
  here = at;
  await failure(cancel());
  const [first, , other, , again] = s.seen.map((r) => r.key);
  assert.notEqual(other, first);
  assert.equal(again, first);
});

test('a password is sent once, and is in no store', async () => {
  const s = shop(broken);
  const written = [];
  const store = { get: () => null, set: (key, value) => void written.push(value), remove: () => {}, keys: () => [] };
  await failure(operator(s, { pending: store }).ask('POST /api/users/login', { email: 'a@b.test', password: 'secret' }));
  assert.equal(s.seen.length, 1);
  assert.deepEqual(written, []);
});

test('a login that has ended is told, a wrong password is not taken for one', async () => {
  let out = 0;
  const o = (from) => operator(from, { onSignedOut: () => out++ });
  await failure(o(shop(refusal(401, 'credentials_invalid'))).ask('POST /api/users/login', {}));
  assert.equal(out, 0);
  await failure(o(shop(refusal(401, 'unauthenticated'))).call('GET /api/permissions'));
  assert.equal(out, 1);
});

test('a call that takes a proven session is sent again under its key once the person has proven it', async () => {
  for (const proves of [true, false]) {
    const s = shop(refusal(403, 'reauthentication_required'), order);
    let asked = 0;
    const o = operator(s, { onUnproven: async () => (asked++, proves) });
    const call = o.call('POST /api/orders/{id}/refund', { id: 'o1', reason: 'x' });
    if (proves) assert.deepEqual(await call, { order: { id: 'o1' } });
    else assert.equal((await failure(call)).reason, 'reauthentication_required');
    assert.equal(asked, 1);
    assert.equal(s.seen.length, proves ? 2 : 1);
    assert.equal(s.seen.at(-1).key, s.seen[0].key);
  }
  assert.equal((await failure(operator(shop(refusal(403, 'reauthentication_required'))).ask('POST /api/users/totp/enroll'))).reason,
    'reauthentication_required');
});

/** An answer that is a stream of frames, and ends. */
const stream = (...frames) => () => new Response(frames.join(''), { headers: { 'content-type': 'text/event-stream' } });

const event = (n) => `id: ${n}\ndata: {"sequence":${n}}\n\n`;

test('events come once each, also when the connection breaks in between', async () => {
  const s = shop(stream('retry: 2000\nid: 7\n\n', event(8), ': alive\nid: 9\n\n', 'id: 10\nda'), stream(event(10)), () => new Promise(() => {}));
  const stop = new AbortController();
  const states = [];
  const got = [];
  for await (const e of operator(s).events({}, { signal: stop.signal, state: ({ connected, position }) => states.push([connected, position]) })) {
    got.push(e.sequence);
    if (got.length === 2) break;
  }
  stop.abort();
  assert.deepEqual(got, [8, 10]);
  assert.ok(!s.seen[0].url.includes('after='));
  assert.ok(s.seen[1].url.endsWith('?after=9'), s.seen[1].url);
  assert.deepEqual(states, [[true, 7], [false, undefined], [true, 10]]);
});

test('a refusal ends the events', async () => {
  const o = operator(shop(refusal(401, 'unauthenticated')));
  const e = await failure(o.events().next());
  assert.equal(e.reason, 'unauthenticated');
});
