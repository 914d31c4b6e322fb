import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryStore } from '@cartwright/sdk';
import { answer, broken, client, failure, refusal, shop } from './fake.mjs';

const week = 7 * 86_400;
const now = () => Math.floor(Date.now() / 1000);

/** A token with what a client may read of it. */
const jwt = (iat, name = 'x') => `h.${Buffer.from(JSON.stringify({ iat, name })).toString('base64url')}.s`;

const token = (life = week, name = 'first', from = now()) => ({ token: jwt(from, name), exp: from + life, customer: { id: 'u1' } });
const listing = answer({ docs: [] });
const credentials = { email: 'a@b.test', password: 'pw' };

/** A client that hears of tokens, and the storage it has. */
function visitor(s, storage = memoryStore()) {
  const heard = [];
  return { c: client(s, { storage, onTokenRefresh: (t) => heard.push(t) }), heard, storage };
}

const bearers = (s) => s.seen.map((r) => r.headers.Authorization?.slice('Bearer '.length));

/** Makes the clock go on. */
const later = (t, seconds) => {
  const real = Date.now();
  t.mock.method(Date, 'now', () => real + seconds * 1000);
};

test('a login keeps the token, tells of it and sends it from then on', async () => {
  const first = token();
  const s = shop(answer(first), listing);
  const { c, heard, storage } = visitor(s);
  assert.equal((await c.customers.login(credentials)).customer.id, 'u1');
  await c.commerce.product.listingPage();
  assert.deepEqual(heard, [{ token: first.token, exp: first.exp }]);
  assert.deepEqual(bearers(s), [undefined, first.token]);
  assert.equal(s.seen[0].key, undefined);
  const s2 = shop(listing);
  await visitor(s2, storage).c.commerce.product.listingPage();
  assert.deepEqual(bearers(s2), [first.token]);
});

test('a token is renewed once, before several calls, when less than a tenth of its life is left', async (t) => {
  const first = token();
  const second = token(week, 'second', now() + week - 3600);
  const s = shop(answer(first), answer(second), listing);
  const { c, heard } = visitor(s);
  await c.customers.login(credentials);
  later(t, week - 3600);
  await Promise.all([c.commerce.product.listingPage(), c.commerce.product.listingPage(), c.commerce.product.listingPage()]);
  const refreshed = s.seen.filter((r) => r.url.endsWith('/customers/refresh-token'));
  assert.equal(refreshed.length, 1);
  assert.equal(refreshed[0].headers.Authorization, `Bearer ${first.token}`);
  assert.deepEqual(bearers(s).slice(2), [second.token, second.token, second.token]);
  assert.deepEqual(heard.map((x) => x.token), [first.token, second.token]);
});

test('a token with more of its life left is not renewed', async (t) => {
  const s = shop(answer(token()), listing);
  const { c } = visitor(s);
  await c.customers.login(credentials);
  later(t, week * 0.89);
  await c.commerce.product.listingPage();
  assert.equal(s.seen.length, 2);
});

test('a clock that is wrong by weeks does not make a token old', async () => {
  const s = shop(answer(token(week, 'first', now() - 5 * week)), listing);
  const { c } = visitor(s);
  await c.customers.login(credentials);
  await c.commerce.product.listingPage();
  assert.equal(s.seen.length, 2);
});

test('a token that cannot be renewed just now is used while it lives', async (t) => {
  const first = token();
  const s = shop(answer(first), broken, listing);
  const { c } = visitor(s);
  await c.customers.login(credentials);
  later(t, week - 3600);
  await c.commerce.product.listingPage();
  assert.equal(bearers(s).at(-1), first.token);
});

for (const [name, status, reason] of [['an expired token', 419, 'token_expired'], ['the token of a login that was ended elsewhere', 401, 'unauthenticated']]) {
  test(`${name} is forgotten and told, and the failure surfaces`, async () => {
    const s = shop(answer(token()), refusal(status, reason), listing);
    const { c, heard, storage } = visitor(s);
    await c.customers.login(credentials);
    assert.equal((await failure(c.commerce.product.listingPage())).status, status);
    assert.equal(heard.at(-1), null);
    assert.deepEqual(storage.keys('').filter((k) => k.endsWith(':token')), []);
    await c.commerce.product.listingPage();
    assert.equal(bearers(s).at(-1), undefined);
  });
}

test('a token that can no longer be renewed is forgotten, and nothing is sent in its place', async (t) => {
  const s = shop(answer(token()), refusal(419, 'token_expired'), listing);
  const { c, heard } = visitor(s);
  await c.customers.login(credentials);
  later(t, 2 * week);
  assert.equal((await failure(c.commerce.carts.create())).status, 419);
  assert.equal(s.seen.length, 2);
  assert.equal(heard.at(-1), null);
  assert.deepEqual(await c.pending.list(), []);
});

test('a refusal for another reason leaves the login alone', async () => {
  const s = shop(answer(token()), refusal(401, 'key_unknown'), listing);
  const { c, heard } = visitor(s);
  await c.customers.login(credentials);
  await failure(c.commerce.product.listingPage());
  assert.ok(!heard.includes(null));
});

test('a token that another tab has renewed is not forgotten with its predecessor', async () => {
  const storage = memoryStore();
  const second = token(week, 'second');
  const other = visitor(shop(answer(second)), storage);
  const s = shop(answer(token()), async () => {
    await other.c.customers.login(credentials);
    return refusal(419, 'token_expired')();
  }, listing);
  const { c, heard } = visitor(s, storage);
  await c.customers.login(credentials);
  await failure(c.commerce.product.listingPage());
  await c.commerce.product.listingPage();
  assert.equal(bearers(s).at(-1), second.token);
  assert.ok(!heard.includes(null));
});

test('a logout forgets the token whatever the shop says', async () => {
  for (const [last, fails] of [[answer({ message: 'Bye.' }), false], [refusal(401, 'unauthenticated'), false], [broken, true]]) {
    const s = shop(answer(token()), last, listing);
    const { c, heard } = visitor(s);
    await c.customers.login(credentials);
    const left = c.customers.logout();
    if (fails) assert.equal((await failure(left)).reason, 'network_error');
    else await left;
    assert.equal(heard.at(-1), null);
    await c.commerce.product.listingPage();
    assert.equal(bearers(s).at(-1), undefined);
  }
  const s = shop(listing);
  await visitor(s).c.customers.logout();
  assert.equal(s.seen.length, 0);
});

test('a token is renewed when it is asked for', async () => {
  const second = token(week, 'second');
  const s = shop(answer(token()), answer(second));
  const { c } = visitor(s);
  assert.equal(await c.customers.refresh(), null);
  await c.customers.login(credentials);
  assert.deepEqual(await c.customers.refresh(), { token: second.token, exp: second.exp });
});

test('what a login says is not kept, whatever becomes of it', async () => {
  const pending = memoryStore();
  const storage = memoryStore();
  const c = client(shop(broken), { pending, storage });
  await failure(c.customers.login(credentials));
  await failure(c.customers.register({ ...credentials, name: 'N' }));
  await failure(c.customers.resetPassword({ token: 't', password: 'pw' }));
  assert.deepEqual([...pending.keys(''), ...storage.keys('')], []);
});

/** An answer that is held back until it is let go. */
function held(next) {
  let open;
  const gate = new Promise((resolve) => (open = resolve));
  let reached;
  const asked = new Promise((resolve) => (reached = resolve));
  return { open, asked, answer: () => (reached(), gate.then(next)) };
}

test('a logout wins over a renewal that is under way', async (t) => {
  const late = held(answer(token(week, 'second')));
  const s = shop(answer(token()), late.answer, answer({ message: 'Bye.' }), listing);
  const { c, heard, storage } = visitor(s);
  await c.customers.login(credentials);
  later(t, week - 3600);
  const reading = c.commerce.product.listingPage();
  await late.asked;
  await c.customers.logout();
  late.open();
  await reading;
  assert.equal(heard.at(-1), null);
  assert.deepEqual(storage.keys(''), []);
});

test('a renewal that ends while the logout is under way is ended with it', async (t) => {
  const late = held(answer(token(week, 'second')));
  const bye = held(answer({ message: 'Bye.' }));
  const s = shop(answer(token()), late.answer, bye.answer, answer({ message: 'Bye.' }), listing);
  const { c, heard, storage } = visitor(s);
  await c.customers.login(credentials);
  later(t, week - 3600);
  const reading = c.commerce.product.listingPage();
  await late.asked;
  const leaving = c.customers.logout();
  await bye.asked;
  late.open();
  await reading;
  bye.open();
  await leaving;
  assert.equal(heard.at(-1), null);
  assert.deepEqual(storage.keys(''), []);
});

test('a renewal that ends while a slow store forgets revives nobody', async (t) => {
  const late = held(answer(token(week, 'second')));
  const storage = memoryStore();
  const s = shop(answer(token()), late.answer, answer({ message: 'Bye.' }), listing);
  const { c, heard } = visitor(s, storage);
  await c.customers.login(credentials);
  later(t, week - 3600);
  const reading = c.commerce.product.listingPage();
  await late.asked;
  const { keys } = storage;
  let slow = true;
  storage.keys = async (prefix) => {
    if (slow) {
      slow = false;
      late.open();
      await reading;
    }
    return keys(prefix);
  };
  await c.customers.logout();
  assert.equal(heard.at(-1), null);
  assert.deepEqual(keys(''), []);
});

test('a login wins over the renewal of the token before', async (t) => {
  const late = held(answer(token(week, 'of A')));
  const ofB = { ...token(week, 'of B'), customer: { id: 'u2' } };
  const s = shop(answer(token()), late.answer, answer(ofB), listing);
  const { c } = visitor(s);
  await c.customers.login(credentials);
  later(t, week - 3600);
  const reading = c.commerce.product.listingPage();
  await late.asked;
  await c.customers.login(credentials);
  late.open();
  await reading;
  await c.commerce.product.listingPage();
  assert.equal(bearers(s).at(-1), ofB.token);
});

const newCart = answer({ cart: { id: 'c1', revision: 1, lines: [] }, cartToken: 'ct_1' }, 201);

/** A shopper who has a cart, is logged in, and has a change whose outcome is unknown. */
async function inTheMiddle(then, ...more) {
  const pending = memoryStore();
  const storage = memoryStore();
  const s = shop(answer(token()), newCart, broken, ...then);
  const c = client(s, { storage, pending, retry: { attempts: 1 }, ...more });
  await c.customers.login(credentials);
  await c.commerce.carts.create();
  await failure(c.commerce.checkouts.create({ cartId: 'c1', email: 'a@b.test' }));
  return { c, s, pending, storage };
}

test('a logout leaves nothing of the shopper behind', async () => {
  for (const last of [answer({ message: 'Bye.' }), broken]) {
    const { c, pending, storage } = await inTheMiddle([last]);
    await c.customers.logout().catch(() => {});
    assert.deepEqual([...pending.keys(''), ...storage.keys('')], []);
    assert.equal(c.commerce.carts.cached('c1'), undefined);
  }
});

test('another customer finds nothing of the one before, whose login has ended', async () => {
  const ofB = { ...token(week, 'of B'), customer: { id: 'u2' } };
  const { c, pending, storage } = await inTheMiddle([refusal(419, 'token_expired'), answer(ofB)]);
  await failure(c.commerce.product.listingPage());
  await c.customers.login(credentials);
  assert.deepEqual(pending.keys(''), []);
  assert.deepEqual(storage.keys('').filter((key) => key.includes(':cart:')), []);
});

test('the same customer finds what was left when the login ended', async () => {
  const { c, s } = await inTheMiddle([refusal(419, 'token_expired'), answer(token(week, 'again')), listing]);
  await failure(c.commerce.product.listingPage());
  assert.deepEqual(await c.pending.resume(), [], 'nobody is logged in');
  await c.customers.login(credentials);
  await c.pending.resume();
  assert.equal(s.seen.at(-1).key, s.seen[2].key);
  assert.equal(s.seen.at(-1).body, s.seen[2].body);
});

test('a guest who logs in keeps the cart; what only the guest may repeat is left alone', async () => {
  const storage = memoryStore();
  const pending = memoryStore();
  const s = shop(newCart, broken, broken, answer(token()), listing);
  const c = client(s, { storage, pending, retry: { attempts: 1 } });
  await c.commerce.carts.create();
  await failure(c.commerce.carts.addItem({ cartId: 'c1', variantId: 'v1', quantity: 1 }));
  await failure(c.commerce.carts.create());
  await c.customers.login(credentials);
  const done = await c.pending.resume();
  assert.deepEqual(done.map((r) => r.operation), ['carts.addItem']);
  assert.equal(s.seen.at(-1).headers['X-Cart-Token'], 'ct_1');
  assert.deepEqual((await c.pending.list()).map((r) => r.operation), ['carts.create']);
});
