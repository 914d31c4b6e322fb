// Every helper of the server client, once at least, against the real server. The last tests fail if one was left out, or if
// one of a cart, a checkout or a payment session did not go to the server's own paths.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createServerClient } from '@cartwright/sdk/server';
import { address, allCalled, FaultProxy, nothingPends, redirectUrl, refused, Shop, unique, until, watched } from '../stage.mjs';

let shop, proxy, mug, gift, code, client, names, answered, account;

before(async () => {
  shop = await Shop.found('Server');
  proxy = await FaultProxy.start();
  mug = await shop.product();
  gift = await shop.gift();
  code = (await shop.discount()).code;
  account = (await shop.must('GET', '/api/provider-connections?where[environment][equals]=test')).docs[0];
  const config = { clientKey: shop.testClientKey, secretKey: shop.testSecretKey, baseUrl: `${proxy.url}/api/` };
  ({ client, names, answered } = watched(createServerClient(config)));
});
after(() => proxy.forget());

const filled = async (variantId = mug.variant) => (await client.commerce.carts.create({ items: [{ variantId, quantity: 1 }] })).cart;

const checkedOut = async (variantId) => {
  const cart = await filled(variantId);
  return (await client.commerce.checkouts.create({ cartId: cart.id, email: 'kim@example.com', shippingAddress: address })).checkout;
};

/** paid is an order that was paid by a custom session. */
const paid = async (variantId) => {
  const { custom } = client.commerce.paymentSessions;
  const checkout = await checkedOut(variantId);
  const providerSessionId = unique('session');
  await custom.create({ checkoutId: checkout.id, providerSessionId, providerName: 'Bank' });
  const captured = { amount: checkout.totals.total, currency: checkout.currency };
  return {
    checkout,
    captured,
    providerSessionId,
    ...(await custom.confirm({ providerSessionId, providerPaymentId: unique('payment'), eventId: unique('event'), captured })),
  };
};

test('records are written', async () => {
  const tags = client.collections.from('tags');
  const { doc } = await tags.create({ name: unique('Tag') });
  assert.equal((await tags.findById(doc.id)).name, doc.name);
  const { doc: changed } = await tags.update(doc.id, { description: 'changed' });
  assert.deepEqual([changed.id, changed.description], [doc.id, 'changed']);
  const other = (await tags.create({ name: unique('Tag') })).doc;
  const where = { id: { in: [doc.id, other.id] } };
  assert.deepEqual(await tags.count({ where }), { totalDocs: 2 });
  const each = await tags.updateEach({
    patches: [
      { id: doc.id, data: { description: 'each' } },
      { id: other.id, data: { description: 'late' }, expectedRevision: 9 },
    ],
  });
  assert.deepEqual([each.updated, each.refused, each.results[1].errors[0].reason], [1, 1, 'changed_meanwhile']);
  const many = await tags.updateMany({ where, data: { description: 'all' } });
  assert.deepEqual([many.docs.map((d) => d.description), many.errors], [['all', 'all'], []]);
  assert.equal((await tags.remove(other.id)).id, other.id);
  assert.deepEqual(
    (await tags.removeMany({ where })).docs.map((d) => d.id),
    [doc.id],
  );
  assert.equal((await tags.find({ where, limit: 0 })).totalDocs, 0);
  const failure = await refused(tags.create({ title: 'no name' }), 'validation_failed');
  assert.ok(failure.fields.some((f) => f.field === 'title'));
});

test('a file is stored once, though the answer is lost', async () => {
  const alt = unique('A cup');
  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=';
  const file = new Blob([Buffer.from(dot, 'base64')], { type: 'image/png' });
  await proxy.next({ kind: 'drop', path: '^/api/media$' });
  const { doc } = await client.collections.from('media').upload({ file, filename: 'cup.png', alt });
  assert.deepEqual([doc.alt, doc.mimeType, doc.width], [alt, 'image/png', 1]);
  const [first, second, ...others] = (await proxy.requests()).filter((r) => r.path === '/api/media');
  assert.deepEqual([first.fault, second.key, second.replayed, others], ['drop', first.key, true, []]);
  assert.deepEqual(await client.collections.from('media').count({ where: { alt: { equals: alt } } }), { totalDocs: 1 });
});

test('the server sees stock', async () => {
  const { addresses, product, reports, search, shop } = client.commerce;
  assert.equal(typeof (await shop.retrieve()).businessName, 'string');
  const form = await addresses.format({ country: 'US', locale: 'en' });
  assert.deepEqual([form.country, form.fields.find(({ name }) => name === 'province').options.some(({ value }) => value === 'OR')], ['US', true]);
  const found = await search.all({ q: 'mug', limit: 1 });
  assert.ok(found.groups.some((group) => group.collection === 'products' && typeof group.more === 'boolean'));
  assert.ok(Array.isArray((await reports.summary({ by: 'day' })).groups));
  assert.ok(Array.isArray((await reports.settlement()).days));
  const shown = await product.detail({ id: mug.product.id });
  assert.equal(typeof shown.product.variants[0].availableQuantity, 'number');
  assert.deepEqual(await product.detail({ slug: unique('none') }), { found: false, reason: 'missing' });
  assert.equal((await product.detailCatalog({ id: mug.product.id })).found, true);
  assert.equal((await product.listingPage({ where: { id: { equals: mug.product.id } } })).totalDocs, 1);
  assert.ok(Array.isArray((await product.search({ limit: 1 })).facets.brands));
  assert.ok((await product.listingGroupsCatalog({ productIds: [mug.product.id] })).groups);
  const { movement, stock } = await product.adjustStock({ variantId: mug.variant, delta: 2, reason: 'received' });
  assert.deepEqual([movement.delta, movement.stockAfter, movement.reason], [2, stock, 'received']);
  await assert.rejects(product.adjustStock({ variantId: mug.variant, count: 1, expected: stock + 1, reason: 'recount' }), { reason: 'stock_changed' });
  const { items } = await product.stockCheck({ items: [{ variantId: mug.variant, quantity: 1 }] });
  assert.equal(typeof items[0].availableQuantity, 'number');
});

test('a product is written in one piece, and priced anew as was shown', async () => {
  const { product } = client.commerce;
  const name = unique('Teapot');
  const { product: made } = await product.createComplete({
    name,
    status: 'draft',
    price: 1000,
    options: [{ name: 'Size', values: [{ label: 'S' }, { label: 'L' }] }],
    variants: ['S', 'L'].map((value) => ({ optionValues: [{ option: 'Size', value }], stock: 3 })),
  });
  const productId = made.id;
  assert.deepEqual(await product.complete({ productId }), { product: made });
  const { product: changed } = await product.replaceComplete({ productId, ...made, price: 2000, variants: made.variants.slice(1) });
  assert.deepEqual([changed.price, changed.variants.map((v) => v.title)], [2000, ['L']]);
  await assert.rejects(product.replaceComplete({ productId, ...made }), { reason: 'changed_meanwhile' });
  const { product: copy } = await product.duplicate({ productId, name: `${name} again` });
  assert.deepEqual([copy.name, copy.variants[0].stock], [`${name} again`, 0]);
  const rise = { products: [productId], basisPoints: 1000, roundTo: 500 };
  const shown = await product.adjustPrices({ ...rise, preview: true });
  assert.deepEqual([shown.preview, shown.prices[0].from, shown.prices[0].to], [true, 2000, 2000]);
  const risen = await product.adjustPrices({ ...rise, basisPoints: 2500, expected: shown.prices.map(({ id, revision }) => ({ id, revision })) });
  assert.deepEqual([risen.updated, risen.prices[0].to], [1, 2500]);
});

test('the server fills a cart for a customer', async () => {
  const { carts } = client.commerce;
  const customer = await shop.customer();
  const { cart: made } = await carts.create({ customerId: customer.id });
  const cartId = made.id;
  let { cart } = await carts.addItem({ cartId, variantId: mug.variant, quantity: 1 });
  await refused(carts.addItem({ cartId, variantId: mug.variant, quantity: 1, expectedRevision: 1 }), 'cart_revision_conflict');
  ({ cart } = await carts.updateItem({ cartId, lineId: cart.lines[0].id, quantity: 2 }));
  ({ cart } = await carts.updateDiscountCodes({ cartId, discountCodes: [code] }));
  ({ cart } = await carts.updateAttributes({ cartId, attributes: { from: 'server' } }));
  assert.deepEqual(carts.cached(cartId), (await carts.retrieve({ cartId })).cart);
  ({ cart } = await carts.removeItem({ cartId, lineId: cart.lines[0].id }));
  ({ cart } = await carts.clear({ cartId }));
  assert.deepEqual([cart.lines, cart.revision], [[], 7]);
  assert.equal((await carts.mine({ customerId: customer.id })).cart.id, cartId);
  const source = await filled();
  const merged = await carts.merge({ sourceCartId: source.id, targetCartId: cartId });
  assert.deepEqual([merged.cart.id, merged.cart.lines.length], [cartId, 1]);
});

test('the previous generation of carts works on', async () => {
  const { cart, orders } = client.commerce;
  const { id: cartId } = await cart.create({});
  let now = await cart.addItem({ cartId, variantId: mug.variant, quantity: 1 });
  const lineId = now.lines[0].id;
  await cart.updateItem({ cartId, lineId, quantity: 2 });
  await cart.updateDiscountCodes({ cartId, discountCodes: [] });
  await cart.applyDiscount({ cartId, discountCode: code });
  now = await cart.removeDiscount({ cartId, discountCode: code });
  assert.deepEqual((await cart.get({ cartId })).lines, now.lines);
  await cart.removeItem({ cartId, lineId });
  await cart.clear({ cartId });
  await cart.addItem({ cartId, variantId: mug.variant, quantity: 1 });
  const customerSnapshot = { name: 'Kim', email: 'kim@example.com', phone: '010-1' };
  const { checkout } = await orders.checkout({ cartId, customerSnapshot, shippingAddress: address });
  assert.equal(checkout.status, 'open');
});

test('codes and parcels are worth what the shop says', async () => {
  assert.equal((await client.commerce.discounts.validate({ code, orderAmount: 20000, currency: 'KRW' })).valid, true);
  assert.equal((await client.commerce.shipping.calculate({ postalCode: '06000', orderAmount: 20000 })).shippingAmount, 3000);
});

test('checkouts are opened, found and completed', async () => {
  const { checkouts } = client.commerce;
  const checkout = await checkedOut(gift.variant);
  await checkouts.update({ checkoutId: checkout.id, email: 'lee@example.com' });
  assert.equal((await checkouts.retrieve({ checkoutId: checkout.id })).checkout.email, 'lee@example.com');
  const page = await checkouts.query({ where: { id: { equals: checkout.id } }, sort: '-createdAt', limit: 1, page: 1, depth: 0 });
  assert.deepEqual([page.totalDocs, page.docs[0].id], [1, checkout.id]);
  assert.equal((await checkouts.complete({ checkoutId: checkout.id })).order.status, 'paid');
  assert.equal((await checkouts.retrieve({ checkoutId: checkout.id })).status, 'completed');
});

test('a widget payment is confirmed by the server', async () => {
  const { paymentSessions } = client.commerce;
  const checkout = await checkedOut();
  const opened = await paymentSessions.create({ checkoutId: checkout.id, successUrl: redirectUrl, failUrl: redirectUrl });
  const paymentSessionId = opened.paymentSession.id;
  const { orderId, amount } = opened.action;
  const { paymentKey } = await shop.pay({ orderId });
  const { order } = await paymentSessions.confirm({ paymentSessionId, paymentKey, orderId, amount });
  assert.equal(order.status, 'paid');
  assert.equal((await paymentSessions.retrieve({ paymentSessionId })).paymentSession.status, 'succeeded');
});

test('a held slot is given back by a cancel, or by hand', async () => {
  const { paymentSessions } = client.commerce;
  const checkout = await checkedOut();
  const input = { checkoutId: checkout.id, successUrl: redirectUrl, failUrl: redirectUrl };
  const first = await paymentSessions.create(input);
  assert.equal((await paymentSessions.cancel({ paymentSessionId: first.paymentSession.id })).paymentSession.status, 'canceled');
  const second = await paymentSessions.create(input);
  const released = await paymentSessions.release({ paymentSessionId: second.paymentSession.id, note: 'the bank has no such payment' });
  assert.equal(released.paymentSession.slotHeld, false);
});

test('an aggregator’s payment is found, looked up and settled', async () => {
  const { paymentSessions } = client.commerce;
  const checkout = await checkedOut();
  const hosted = { checkoutId: checkout.id, mode: 'hosted_v2', method: 'CARD_KR', redirectUrl };
  const first = await paymentSessions.createAggregator(hosted);
  await paymentSessions.cancelAggregator({ paymentSessionId: first.paymentSession.id });
  const { paymentSession, action } = await paymentSessions.createAggregator({
    checkoutId: checkout.id,
    mode: 'standard_v2',
    channel: 'card',
    redirectUrl,
  });
  const identity = { accountKey: account.accountKey, environment: 'test', providerPaymentId: action.paymentId };
  assert.equal((await paymentSessions.findAggregator(identity)).paymentSession.id, paymentSession.id);
  assert.equal((await paymentSessions.findAggregator({ ...identity, providerPaymentId: 'nobody000' })).found, false);
  await shop.pay({ paymentId: action.paymentId });
  const settled = await paymentSessions.reconcileAggregator(identity);
  assert.equal(settled.order.status, 'paid');
  assert.equal((await paymentSessions.retrieveAggregator({ paymentSessionId: paymentSession.id })).paymentSession.status, 'succeeded');
});

test('a provider without an adapter pays by the bridge', async () => {
  const { order, captured, providerSessionId } = await paid();
  assert.equal(order.status, 'paid');
  const seen = await client.commerce.paymentSessions.custom.retrieve({ providerSessionId });
  assert.deepEqual(seen, { status: 'succeeded', amount: captured, orderId: order.id });
});

test('an authorized payment is captured once', async () => {
  const { orders, paymentSessions } = client.commerce;
  const { order } = await shop.authorize(paymentSessions, account, (await checkedOut()).id);
  assert.equal(order.status, 'authorized');
  const done = await orders.capture({ orderId: order.id, amount: { amount: 1000, currency: 'KRW' } });
  assert.equal(done.order.paymentStatus, 'partially_paid');
  assert.equal(done.transaction.amount, 1000);
  await refused(orders.capture({ orderId: order.id }), 'payment_not_authorized');
});

test('an order is canceled, another one delivered and sent back', async () => {
  const { orders, returnRequests } = client.commerce;
  const canceled = await orders.cancel({ orderId: (await paid()).order.id, reason: 'changed their mind' });
  assert.equal(canceled.order.status, 'canceled');
  const { order } = await paid();
  for (const to of ['preparing', 'shipped', 'delivered']) await orders.transition({ orderId: order.id, to });
  const { lines } = await returnRequests.returnable({ orderId: order.id });
  assert.equal(lines[0].remaining, 1);
  const wish = { order: order.id, lines: [{ orderLine: lines[0].orderLine, quantity: 1 }] };
  const { refundAmount } = await returnRequests.preview(wish);
  const rejected = await returnRequests.create(wish);
  assert.equal(
    (await returnRequests.reject({ returnRequestId: rejected.returnRequest.id, reason: 'worn' })).returnRequest.status,
    'rejected',
  );
  const taken = await returnRequests.create(wish);
  assert.equal((await returnRequests.cancel({ returnRequestId: taken.returnRequest.id })).returnRequest.status, 'canceled');
  const { returnRequest } = await returnRequests.create(wish);
  const returnRequestId = returnRequest.id;
  assert.equal((await returnRequests.approve({ returnRequestId })).returnRequest.status, 'approved');
  const came = await returnRequests.receive({ returnRequestId, lines: [{ orderLine: lines[0].orderLine, quantity: 1, condition: 'damaged' }] });
  assert.deepEqual([came.returnRequest.status, came.returnRequest.lines[0].condition], ['received', 'damaged']);
  const refunded = await returnRequests.refund({ returnRequestId });
  assert.deepEqual([refunded.returnRequest.status, refunded.returnRequest.refundAmount], ['refunded', refundAmount]);
});

test('a draft becomes an order, or nothing', async () => {
  const { draftOrders } = client.commerce;
  const draft = {
    lines: [{ variant: mug.variant, quantity: 1 }],
    customerSnapshot: { name: 'Kim', email: 'kim@example.com', phone: '010-1' },
    shippingAddress: address,
  };
  const draftOrderId = (await draftOrders.create(draft)).doc.id;
  await draftOrders.update({ draftOrderId, operatorNotes: 'by phone' });
  assert.equal((await draftOrders.calculate({ draftOrderId })).total, 15000);
  const { order } = await draftOrders.finalize({ draftOrderId });
  assert.deepEqual([order.status, order.source, order.totalAmount], ['pending', 'manual', 15000]);
  const other = (await draftOrders.create(draft)).doc.id;
  assert.equal((await draftOrders.discard({ draftOrderId: other })).draftOrder.status, 'discarded');
});

const orderFile = 'orderNumber,status,totalAmount,title,quantity,unitPrice\n';

test('a file of records is made and fetched', async () => {
  const { exports } = client.commerce;
  const { export: asked } = await exports.start({ kind: 'products', format: 'csv', columns: ['title', 'sku'], locale: 'en' });
  const looks = [];
  const done = await exports.wait({ exportId: asked.id }, { progress: ({ status }) => looks.push(status) });
  assert.deepEqual([done.status, done.handled, looks.at(-1)], ['done', done.total, 'done']);
  const file = await exports.download({ exportId: done.id });
  assert.deepEqual([file.size, file.type.split(';')[0]], [done.fileSize, 'text/csv']);
  assert.match(await file.text(), /^Title,SKU\r\n/);
  await refused(exports.download({ exportId: mug.variant }), 'not_found');
  await refused(exports.wait({ exportId: done.id }, { signal: AbortSignal.abort() }), 'aborted');
  await until(async () => {
    const started = await Promise.all([1, 2, 3].map((n) => exports.start({ kind: 'products', format: 'csv', q: `mug ${n}` })));
    const [last] = started.slice(-1);
    const canceled = await exports.cancel({ exportId: last.export.id }).catch((e) => e);
    for (const { export: { id } } of started) await exports.wait({ exportId: id });
    return canceled.export?.cancelRequested;
  });
});

test('a file is tried, brought in and told of', async () => {
  const { imports } = client.commerce;
  const file = `${orderFile}${unique('N')},paid,100,Cup,1,100\n${unique('N')},paid,100,Cup,1,90\n${unique('N')},paid,1,Cup,x,1\n`;
  const forms = [new Blob([file]), new TextEncoder().encode(file), new Blob([file]).stream()];
  for (const [n, form] of forms.entries()) {
    const { import: sent } = await imports.start({ file: form, filename: 'orders.csv', kind: 'orders', mode: 'upsert', dryRun: n === 0 });
    const done = await imports.wait({ importId: sent.id });
    assert.deepEqual([done.status, done.applied, done.unchanged, done.rejected], ['done', n < 2 ? 1 : 0, n < 2 ? 0 : 1, 2]);
    assert.deepEqual([done.dryRun, done.fileName], [n === 0, 'orders.csv']);
    const { rows, next } = await imports.rows({ importId: sent.id, limit: 1 });
    assert.deepEqual([rows.length, rows[0].row, next], [1, 2, 2]);
    const all = [];
    for await (const row of imports.allRows({ importId: sent.id, limit: 1, status: 'rejected' })) all.push([row.row, row.errors[0].column]);
    assert.deepEqual(all, [[3, 'totalAmount'], [4, 'quantity']]);
    assert.match(await (await imports.rejected({ importId: sent.id })).text(), /importRow,importErrors,orderNumber/);
    await refused(imports.cancel({ importId: sent.id }), 'job_ended');
  }
  await refused(imports.start({ file: new Blob(['colour\n']), kind: 'stock' }), 'import_columns');
  await until(async () => {
    const big = `${orderFile}${Array.from({ length: 400 }, () => `${unique('C')},paid,1,Cup,1,1\n`).join('')}`;
    const { import: sent } = await imports.start({ file: new Blob([big]), kind: 'orders', dryRun: true });
    const canceled = await imports.cancel({ importId: sent.id }).catch((e) => e);
    await imports.wait({ importId: sent.id });
    return canceled.import?.cancelRequested;
  });
});

test('documents of an order are printed', async () => {
  const { imports, prints } = client.commerce;
  const number = unique('P');
  const { import: sent } = await imports.start({ file: new Blob([`${orderFile}${number},paid,200,Cup,2,100\n`]), kind: 'orders' });
  await imports.wait({ importId: sent.id });
  const [order] = (await client.collections.from('orders').find({ where: { orderNumber: { equals: number } } })).docs;
  const [work] = (await client.collections.from('fulfillment-orders').find({ where: { order: { equals: order.id } } })).docs;
  const isPDF = async (file) => assert.match(await (await file).text(), /^%PDF-/);
  await isPDF(prints.invoice({ orderId: order.id, locale: 'ko' }));
  await isPDF(prints.toBePacked({ fulfillmentOrderId: work.id }));
  const { fulfillment } = await shop.must('POST', `/api/fulfillment-orders/${work.id}/fulfillments`, { carrier: 'cj' });
  await isPDF(prints.packingSlip({ fulfillmentId: fulfillment.id }));
  await isPDF(prints.label({ fulfillmentId: fulfillment.id, size: 'a4-labels' }));
  await isPDF(prints.many({ ids: fulfillment.id, document: 'packingSlip' }));
  await refused(prints.toBePacked({ fulfillmentOrderId: work.id }), 'nothing_to_pack');
});

test('nothing is pending when all is answered', () => nothingPends(client));

test('every helper was called, and there are no others', () => allCalled({ names, answered }, helpers));

test('carts, checkouts and payment sessions went to the server’s own paths, with the secret key', async () => {
  const requests = await proxy.requests();
  const commerce = requests.filter((r) => /\/(carts?|checkouts|checkout|payment-sessions|products\/(detail|listing|stock)|discounts\/|shipping\/)/.test(r.path));
  assert.ok(commerce.length > 50, `${commerce.length} requests`);
  assert.deepEqual(
    commerce.filter((r) => !r.path.startsWith('/api/server/commerce/')).map((r) => r.path),
    [],
  );
  assert.deepEqual(
    requests.filter((r) => r.header['X-Api-Key']?.[0] !== shop.testSecretKey || r.header['X-Client-Key']?.[0] !== shop.testClientKey),
    [],
  );
  assert.deepEqual(
    requests.filter((r) => r.path.includes('sk_') || r.body.includes('sk_')),
    [],
  );
});

// Rule sdk-9, as a server has it.
const helpers = `
collections.from collections.from().find collections.from().findById collections.from().count collections.from().create collections.from().update
collections.from().remove collections.from().upload collections.from().updateEach collections.from().updateMany collections.from().removeMany
commerce.shop.retrieve commerce.addresses.format commerce.search.all commerce.reports.summary commerce.reports.settlement commerce.product.detail commerce.product.detailCatalog commerce.product.listingPage commerce.product.search commerce.product.listingGroupsCatalog commerce.product.stockCheck
commerce.product.adjustStock commerce.product.complete commerce.product.createComplete commerce.product.replaceComplete commerce.product.duplicate
commerce.product.adjustPrices
commerce.carts.create commerce.carts.retrieve commerce.carts.mine commerce.carts.merge commerce.carts.addItem commerce.carts.updateItem
commerce.carts.removeItem commerce.carts.updateDiscountCodes commerce.carts.updateAttributes commerce.carts.clear commerce.carts.cached
commerce.cart.create commerce.cart.get commerce.cart.addItem commerce.cart.updateItem commerce.cart.removeItem commerce.cart.updateDiscountCodes
commerce.cart.clear commerce.cart.applyDiscount commerce.cart.removeDiscount
commerce.discounts.validate commerce.shipping.calculate
commerce.checkouts.create commerce.checkouts.retrieve commerce.checkouts.update commerce.checkouts.complete commerce.checkouts.query
commerce.paymentSessions.create commerce.paymentSessions.retrieve commerce.paymentSessions.cancel commerce.paymentSessions.confirm
commerce.paymentSessions.createAggregator commerce.paymentSessions.retrieveAggregator commerce.paymentSessions.cancelAggregator
commerce.paymentSessions.findAggregator commerce.paymentSessions.reconcileAggregator commerce.paymentSessions.release
commerce.paymentSessions.custom.create commerce.paymentSessions.custom.retrieve commerce.paymentSessions.custom.confirm
commerce.orders.checkout commerce.orders.cancel commerce.orders.capture commerce.orders.transition
commerce.draftOrders.create commerce.draftOrders.update commerce.draftOrders.calculate commerce.draftOrders.finalize commerce.draftOrders.discard
commerce.returnRequests.returnable commerce.returnRequests.preview commerce.returnRequests.create commerce.returnRequests.approve
commerce.exports.start commerce.exports.wait commerce.exports.cancel commerce.exports.download
commerce.imports.start commerce.imports.wait commerce.imports.cancel commerce.imports.rows commerce.imports.allRows commerce.imports.rejected
commerce.prints.invoice commerce.prints.packingSlip commerce.prints.label commerce.prints.toBePacked commerce.prints.many
commerce.returnRequests.reject commerce.returnRequests.receive commerce.returnRequests.refund commerce.returnRequests.cancel
pending.list pending.resume pending.discard`
  .trim()
  .split(/\s+/);
