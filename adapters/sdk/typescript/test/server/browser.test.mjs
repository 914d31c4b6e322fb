// Every helper of the browser client, once at least, against the real server. The last test fails if one was left out.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { CommerceSDKError, createClient, memoryStore } from '@cartwright/sdk';
import { address, allCalled, nothingPends, redirectUrl, refused, Shop, unique, watched } from '../stage.mjs';

let shop, mug, gift, code, names, answered, client;
const heard = []; // by onTokenRefresh
const storage = memoryStore();

before(async () => {
  shop = await Shop.found('Browser');
  mug = await shop.product();
  gift = await shop.gift();
  code = (await shop.discount()).code;
  const config = { clientKey: shop.testClientKey, baseUrl: `${shop.baseUrl}/`, storage, onTokenRefresh: (token) => void heard.push(token) };
  ({ client, names, answered } = watched(createClient(config)));
});

/** filled is a new cart with one mug. */
const filled = async (variantId = mug.variant) => (await client.commerce.carts.create({ items: [{ variantId, quantity: 1 }] })).cart;

/** checkedOut is an open checkout of a new cart. */
const checkedOut = async (variantId) => {
  const cart = await filled(variantId);
  return client.commerce.checkouts.create({ cartId: cart.id, email: 'kim@example.com', shippingAddress: address });
};

test('what is public is found, counted and shown', async () => {
  const products = client.collections.from('products');
  const where = { id: { equals: mug.product.id } };
  const page = await products.find({ where, sort: '-createdAt', limit: 5, page: 1, depth: 1, select: { name: true, price: true } });
  assert.equal(page.totalDocs, 1);
  assert.deepEqual(page.docs, [{ id: mug.product.id, name: mug.product.name, price: 12000 }]);
  assert.deepEqual(await products.count({ where: { or: [where, { id: { in: [gift.product.id] } }] } }), { totalDocs: 2 });
  const one = await products.findById(mug.product.id, { select: { slug: true } });
  assert.deepEqual(one, { id: mug.product.id, slug: mug.product.slug });
  assert.ok(!('stock' in (await products.findById(mug.product.id))), 'a shopper sees no stock');
  const failure = await refused(products.findById(unique('none')), 'not_found');
  assert.ok(failure instanceof CommerceSDKError && failure.status === 404 && failure.requestId && !failure.retryable);
});

test('a product is shown, or a value says why not', async () => {
  const { addresses, product, shop } = client.commerce;
  assert.equal(typeof (await shop.retrieve()).businessName, 'string');
  const form = await addresses.format({ country: 'US', locale: 'en' });
  assert.deepEqual([form.country, form.fields.find(({ name }) => name === 'province').options.some(({ value }) => value === 'OR')], ['US', true]);
  const shown = await product.detail({ slug: mug.product.slug });
  assert.equal(shown.found, true);
  assert.equal(shown.product.variants[0].resolvedPrice.amount, 12000);
  assert.ok(!('stock' in shown.product));
  assert.deepEqual(await product.detail({ id: crypto.randomUUID() }), { found: false, reason: 'missing' });
  await refused(product.detail({ id: mug.product.id, market: 'nowhere' }), 'market_not_found');
  assert.equal((await product.detailCatalog({ id: mug.product.id })).product.name, mug.product.name);
  assert.deepEqual(await product.detailCatalog({ slug: unique('none') }), { found: false, reason: 'missing' });
  const listing = await product.listingPage({ where: { id: { equals: mug.product.id } }, sort: 'name', limit: 1, page: 1 });
  assert.deepEqual([listing.totalDocs, listing.docs[0].id], [1, mug.product.id]);
  const { groups } = await product.listingGroupsCatalog({ productIds: [mug.product.id] });
  assert.ok(Array.isArray(groups));
  const found = await product.search({ q: mug.product.name, brands: [], limit: 1, omitFacets: true }); // the index follows a second later
  assert.deepEqual([Array.isArray(found.docs), found.limit, found.facets], [true, 1, undefined]);
  const asked = async (...quantities) => product.stockCheck({ items: quantities.map((quantity) => ({ variantId: mug.variant, quantity })) });
  assert.equal((await asked(5000)).allAvailable, true);
  const { items, allAvailable } = await asked(4000, 4000); // demand for one variant adds up
  assert.deepEqual([items[0].requested, items[0].available, items.length, allAvailable], [8000, false, 1, false]);
});

test('a guest fills a cart', async () => {
  const { carts } = client.commerce;
  const made = await carts.create({ items: [{ variantId: mug.variant, quantity: 1 }], attributes: { gift: 'yes' } });
  const cartId = made.cart.id;
  assert.match(made.cartToken, /^ct_/);
  assert.equal(made.cart.revision, 1);
  let { cart, receipt } = await carts.addItem({ cartId, variantId: gift.variant, quantity: 2, attributes: { wrap: 'red' } });
  assert.equal(cart.revision, 2);
  assert.deepEqual(receipt, cart);
  const [first, second] = cart.lines;
  ({ cart } = await carts.updateItem({ cartId, lineId: first.id, quantity: 3 }));
  assert.equal(cart.lines[0].quantity, 3);
  ({ cart } = await carts.removeItem({ cartId, lineId: second.id }));
  assert.deepEqual(
    cart.lines.map((l) => l.id),
    [first.id],
  );
  ({ cart } = await carts.updateDiscountCodes({ cartId, discountCodes: [code] }));
  assert.deepEqual([cart.discountCodes[0].applied, cart.totals.total], [true, 35000]);
  ({ cart } = await carts.updateAttributes({ cartId, attributes: { note: 'ring twice' } }));
  assert.deepEqual(cart.attributes, { note: 'ring twice' });
  ({ cart } = await carts.updateDiscountCodes({ cartId, discountCodes: [] }));
  assert.deepEqual(cart.discountCodes, []);
  assert.deepEqual(carts.cached(cartId), cart);
  assert.deepEqual((await carts.retrieve({ cartId })).cart, cart);
  ({ cart } = await carts.clear({ cartId, expectedRevision: cart.revision }));
  assert.deepEqual([cart.lines, cart.revision], [[], 8]);
  assert.equal(carts.cached(crypto.randomUUID()), undefined);
});

test('two carts of a guest become one', async () => {
  const { carts } = client.commerce;
  const [source, target] = [await filled(), await filled()];
  const { cart, warnings } = await carts.merge({ sourceCartId: source.id, targetCartId: target.id });
  assert.deepEqual([cart.id, cart.lines[0].quantity, cart.revision, warnings], [target.id, 2, 2, []]);
  assert.equal(carts.cached(target.id).revision, 2);
});

test('a cart token from elsewhere opens its cart', async () => {
  const elsewhere = createClient({ clientKey: shop.testClientKey, baseUrl: shop.baseUrl });
  const { cart, cartToken } = await client.commerce.carts.create({});
  await refused(elsewhere.commerce.carts.retrieve({ cartId: cart.id }), 'unauthenticated');
  assert.equal((await elsewhere.commerce.carts.retrieve({ cartId: cart.id, cartToken })).cart.id, cart.id);
  await elsewhere.commerce.carts.addItem({ cartId: cart.id, variantId: mug.variant, quantity: 1 });
});

test('the previous generation of carts works on', async () => {
  const { cart } = client.commerce;
  const made = await cart.create({});
  const cartId = made.id;
  assert.match(made.cartToken, /^ct_/);
  let now = await cart.addItem({ cartId, variantId: mug.variant, quantity: 1 });
  assert.equal(now.itemsTotal, 12000);
  now = await cart.updateItem({ cartId, lineId: now.lines[0].id, quantity: 2 });
  assert.equal(now.itemsTotal, 24000);
  now = await cart.applyDiscount({ cartId, discountCode: code });
  assert.equal(now.discountAmount, 1000);
  now = await cart.removeDiscount({ cartId, discountCode: code });
  assert.equal(now.discountAmount, 0);
  now = await cart.updateDiscountCodes({ cartId, discountCodes: [code] });
  assert.equal((await cart.get({ cartId })).totalAmount, now.totalAmount);
  now = await cart.removeItem({ cartId, lineId: now.lines[0].id });
  assert.deepEqual(now.lines, []);
  assert.deepEqual((await cart.clear({ cartId })).lines, []);
});

test('codes and parcels are worth what the shop says', async () => {
  const valid = await client.commerce.discounts.validate({ code, orderAmount: 20000, currency: 'KRW' });
  assert.deepEqual([valid.valid, valid.discountAmount], [true, 1000]);
  assert.equal((await client.commerce.discounts.validate({ code, orderAmount: 20000 })).reason, 'discount_context_required');
  const shipping = await client.commerce.shipping.calculate({ postalCode: '63000', orderAmount: 20000 });
  assert.equal(shipping.shippingAmount, 6000);
  const failure = await refused(client.commerce.shipping.calculate({ postalCode: '1', orderAmount: 1 }), 'postal_code_invalid');
  assert.deepEqual(
    failure.fields.map((f) => f.field),
    ['postalCode'],
  );
});

test('a checkout is opened, changed and completed', async () => {
  const { checkouts } = client.commerce;
  const { checkout, checkoutToken } = await checkedOut(gift.variant);
  assert.match(checkoutToken, /^co_/);
  const updated = await checkouts.update({ checkoutId: checkout.id, email: 'lee@example.com' });
  assert.equal(updated.checkout.email, 'lee@example.com');
  const open = await checkouts.retrieve({ checkoutId: checkout.id });
  assert.equal(open.status, 'open');
  const done = await checkouts.complete({ checkoutId: checkout.id });
  assert.equal(done.order.status, 'paid');
  const completed = await checkouts.retrieve({ checkoutToken });
  assert.deepEqual([completed.status, completed.order.id], ['completed', done.order.id]);
  const elsewhere = createClient({ clientKey: shop.testClientKey, baseUrl: shop.baseUrl, storage: memoryStore() });
  assert.equal((await elsewhere.commerce.checkouts.retrieve({ checkoutToken })).order.id, done.order.id);
  await refused(elsewhere.commerce.checkouts.retrieve({ checkoutToken: `${checkoutToken}x` }), 'not_found');
});

test('a widget pays, or is given up', async () => {
  const { paymentSessions } = client.commerce;
  const { checkout } = await checkedOut();
  const { paymentSession, action } = await paymentSessions.create({
    checkoutId: checkout.id,
    successUrl: redirectUrl,
    failUrl: redirectUrl,
  });
  assert.deepEqual([action.type, action.amount], ['widget', { amount: 15000, currency: 'KRW' }]);
  const held = await paymentSessions.retrieve({ paymentSessionId: paymentSession.id });
  assert.equal(held.paymentSession.slotHeld, true);
  const canceled = await paymentSessions.cancel({ paymentSessionId: paymentSession.id });
  assert.equal(canceled.paymentSession.status, 'canceled');
});

test('a hosted page pays', async () => {
  const { paymentSessions, checkouts } = client.commerce;
  const { checkout } = await checkedOut();
  const input = { checkoutId: checkout.id, mode: 'hosted_v2', method: 'CARD_KR', redirectUrl };
  const first = await paymentSessions.createAggregator(input);
  assert.match(first.checkoutUrl, /^http/);
  const canceled = await paymentSessions.cancelAggregator({ paymentSessionId: first.paymentSession.id });
  assert.equal(canceled.paymentSession.status, 'canceled');
  const second = await paymentSessions.createAggregator(input);
  assert.notEqual(second.paymentSession.id, first.paymentSession.id);
  assert.equal((await checkouts.retrieve({ checkoutId: checkout.id })).status, 'payment_pending');
  await shop.pay({ sessionId: second.paymentSession.providerSessionId });
  const paid = await paymentSessions.retrieveAggregator({ paymentSessionId: second.paymentSession.id });
  assert.equal(paid.paymentSession.status, 'succeeded');
  assert.equal((await checkouts.retrieve({ checkoutId: checkout.id })).order.paymentStatus, 'paid');
});

test('a standard session tells the provider’s SDK what to ask', async () => {
  const { checkout } = await checkedOut();
  const { action } = await client.commerce.paymentSessions.createAggregator({
    checkoutId: checkout.id,
    mode: 'standard_v2',
    channel: 'card',
    redirectUrl,
  });
  assert.deepEqual(
    [action.type, action.version, action.currency, action.totalAmount],
    ['requestPayment', 'standard_v2', 'CURRENCY_KRW', 15000],
  );
  assert.match(action.paymentId, /^[A-Za-z0-9]{6,40}$/);
});

test('a customer registers, logs in, buys and leaves', async () => {
  const { customers, commerce } = client;
  const email = `${unique('park')}@example.com`;
  const password = 'correct horse battery staple';
  await shop.must('PATCH', `/api/tenants/${shop.tenantId}`, { settings: { requireEmailVerification: true } });
  const { customer, verificationRequired } = await customers.register({ email, password, name: 'Park' });
  assert.deepEqual([customer.email, verificationRequired], [email, true]);
  await refused(customers.login({ email, password: 'wrong' }), 'credentials_invalid');
  await customers.verifyEmail({ token: await shop.letter(email, 'vfy') });
  const login = await customers.login({ email, password });
  assert.deepEqual(heard.pop(), { token: login.token, exp: login.exp });
  assert.equal((await customers.me()).customer.id, customer.id);
  assert.equal((await commerce.carts.mine()).cart, null);
  const { cart } = await commerce.carts.create({ items: [{ variantId: mug.variant, quantity: 1 }] });
  assert.equal(cart.customer, customer.id);
  assert.equal((await commerce.carts.mine()).cart.id, cart.id);
  const person = { name: 'Park', email, phone: '010-1' };
  const started = await commerce.orders.checkout({ cartId: cart.id, customerSnapshot: person, shippingAddress: address });
  assert.equal((await commerce.checkouts.retrieve({ checkoutToken: started.checkoutToken })).status, 'open');
  const renewed = await customers.refresh();
  assert.notEqual(renewed.token, login.token);
  assert.deepEqual(heard.pop(), renewed);
  await customers.logout();
  assert.equal(heard.pop(), null);
  assert.equal((await customers.me()).customer, null);
});

test('a forgotten password is replaced', async () => {
  const { email } = await shop.customer();
  await client.customers.forgotPassword({ email });
  const answer = await client.customers.resetPassword({ token: await shop.letter(email, 'rst'), password: 'another long password' });
  assert.deepEqual(heard.pop(), { token: answer.token, exp: answer.exp });
  assert.equal((await client.customers.me()).customer.email, email);
  await client.customers.logout();
});

test('who is invited to manage the shop sees the invitation and accepts it once', async () => {
  const { invitations } = client;
  const login = await shop.must('POST', '/api/users/login', { email: shop.adminEmail, password: shop.adminPassword }, {});
  const admin = { Authorization: `Bearer ${login.token}` };
  const invited = async () => {
    const email = `${unique('eve')}@example.com`;
    assert.deepEqual(await shop.must('POST', '/api/users', { email, role: 'tenant-editor' }, admin), { invited: true, mailed: true });
    return { email, token: await shop.letter(email, 'inv') };
  };
  const { email, token } = await invited();
  const shown = await invitations.retrieve({ token });
  assert.deepEqual([shown.email, shown.role, shown.tenantId], [email, 'tenant-editor', shop.tenantId]);
  await refused(invitations.accept({ token, password: 'short' }), 'validation_failed');
  await refused(invitations.accept({ token, userToken: login.token }), 'invitation_for_another');
  const session = await invitations.accept({ token, password: 'correct horse battery' });
  const { user } = await shop.must('GET', '/api/users/me', undefined, { Authorization: `Bearer ${session.token}` });
  assert.deepEqual([user.id, user.email, user.role], [session.user.id, email, 'tenant-editor']);
  await refused(invitations.accept({ token, password: 'correct horse battery' }), 'token_invalid');
  await refused(invitations.retrieve({ token }), 'token_invalid');
});

test('nothing is pending when all is answered', () => nothingPends(client));

test('every helper was called, and there are no others', () => allCalled({ names, answered }, helpers));

// Rule sdk-9, as the browser may have it.
const helpers = `
collections.from collections.from().find collections.from().findById collections.from().count
customers.register customers.login customers.logout customers.me customers.refresh customers.forgotPassword customers.resetPassword customers.verifyEmail
invitations.retrieve invitations.accept
commerce.shop.retrieve commerce.addresses.format commerce.product.detail commerce.product.detailCatalog commerce.product.listingPage commerce.product.search commerce.product.listingGroupsCatalog commerce.product.stockCheck
commerce.carts.create commerce.carts.retrieve commerce.carts.mine commerce.carts.merge commerce.carts.addItem commerce.carts.updateItem
commerce.carts.removeItem commerce.carts.updateDiscountCodes commerce.carts.updateAttributes commerce.carts.clear commerce.carts.cached
commerce.cart.create commerce.cart.get commerce.cart.addItem commerce.cart.updateItem commerce.cart.removeItem commerce.cart.updateDiscountCodes
commerce.cart.clear commerce.cart.applyDiscount commerce.cart.removeDiscount
commerce.discounts.validate commerce.shipping.calculate
commerce.checkouts.create commerce.checkouts.retrieve commerce.checkouts.update commerce.checkouts.complete
commerce.paymentSessions.create commerce.paymentSessions.retrieve commerce.paymentSessions.cancel
commerce.paymentSessions.createAggregator commerce.paymentSessions.retrieveAggregator commerce.paymentSessions.cancelAggregator
commerce.orders.checkout pending.list pending.resume pending.discard`
  .trim()
  .split(/\s+/);
