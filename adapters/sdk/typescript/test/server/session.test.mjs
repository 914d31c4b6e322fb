// A customer's token: kept, renewed before it ends, and forgotten when it has.
import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { createClient, memoryStore } from '@cartwright/sdk';
import { FaultProxy, refused, Shop } from '../stage.mjs';

const day = 86_400_000;
let shop, proxy, customer, storage, heard, client;

before(async () => {
  shop = await Shop.found('Session');
  proxy = await FaultProxy.start();
  customer = await shop.customer();
});

beforeEach(async () => {
  storage = memoryStore();
  heard = [];
  client = opened();
  await client.customers.login(customer);
  heard.length = 0;
  await proxy.forget();
});

const opened = () =>
  createClient({
    clientKey: shop.testClientKey,
    baseUrl: proxy.url,
    storage,
    pending: memoryStore(),
    retry: { attempts: 1 },
    onTokenRefresh: (token) => void heard.push(token),
  });

/** later does work with the client's clock put forward; the server's stays. */
async function later(ms, work) {
  const real = Date.now;
  Date.now = () => real() + ms;
  try {
    return await work();
  } finally {
    Date.now = real;
  }
}

const bearers = async () => (await proxy.requests()).map((r) => [r.path.split('/').at(-1), r.header.Authorization?.[0]?.slice(7)]);

test('a reload finds the customer logged in', async () => {
  client = opened();
  assert.equal((await client.customers.me()).customer.id, customer.id);
  assert.deepEqual(heard, []);
});

test('a token that lives long is not renewed', async () => {
  await later(5 * day, () => client.commerce.carts.mine());
  assert.deepEqual(
    (await bearers()).map(([path]) => path),
    ['mine'],
  );
});

test('a token whose end is near is renewed once, before the call', async () => {
  const { token } = await client.customers.refresh();
  heard.length = 0;
  await proxy.forget();
  await later(6.5 * day, () => Promise.all([client.commerce.carts.mine(), client.commerce.carts.mine(), client.customers.me()]));
  const [first, ...others] = await bearers();
  assert.deepEqual(first, ['refresh-token', token]);
  assert.equal(heard.length, 1);
  assert.notEqual(heard[0].token, token);
  assert.deepEqual(
    others.map(([, bearer]) => bearer),
    Array(3).fill(heard[0].token),
  );
});

test('an expired token is forgotten, and the failure told', async () => {
  const body = JSON.stringify({
    errors: [{ message: 'The token has expired.', extensions: { code: 'TOKEN_EXPIRED', reason: 'token_expired' } }],
  });
  await proxy.next({ kind: 'status', status: 419, body });
  const failure = await refused(client.commerce.carts.mine(), 'token_expired');
  assert.equal(failure.status, 419);
  assert.deepEqual(heard, [null]);
  await client.customers.me();
  assert.equal((await bearers()).at(-1)[1], undefined);
});

test('after a logout the token is worth nothing', async () => {
  const [[, token]] = await client.customers.me().then(bearers);
  await client.customers.logout();
  assert.deepEqual(heard, [null]);
  const mine = await shop.ask('GET', '/api/commerce/carts/mine', undefined, {
    'X-Client-Key': shop.testClientKey,
    Authorization: `Bearer ${token}`,
  });
  assert.equal(mine.status, 401);
});

test('who logs out leaves nothing behind', async () => {
  const pending = memoryStore();
  client = createClient({ clientKey: shop.testClientKey, baseUrl: proxy.url, storage, pending, retry: { attempts: 1 } });
  const { cart } = await client.commerce.carts.create({});
  await proxy.next({ kind: 'drop', method: 'PUT' });
  await refused(client.commerce.carts.updateAttributes({ cartId: cart.id, attributes: { note: 'mine' } }), 'network_error');
  assert.equal((await pending.keys('')).length, 1);
  await client.customers.logout();
  assert.deepEqual([await pending.keys(''), await storage.keys('')], [[], []]);
  assert.equal(client.commerce.carts.cached(cart.id), undefined);
});

test('a logout that does not reach the shop ends the session here', async () => {
  await proxy.next({ kind: 'reset' });
  await refused(client.customers.logout(), 'network_error');
  assert.deepEqual(heard, [null]);
});
