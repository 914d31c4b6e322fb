// Every change that the server client alone can make has one effect, whatever the network does; and one of each kind that both
// clients make, which the server client makes at other paths and under its own keys.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createServerClient } from '@cartwright/sdk/server';
import { address, redirectUrl, Shop, unique, until } from '../stage.mjs';
import { Bench, eachFault } from './faults.mjs';

let shop, mug, bench, account;

before(async () => {
  shop = await Shop.found('Server faults');
  mug = await shop.product();
  account = (await shop.must('GET', '/api/provider-connections?where[environment][equals]=test')).docs[0];
  bench = await Bench.of(shop, (config) => createServerClient({ ...config, secretKey: shop.testSecretKey }));
});

const commerce = () => bench.client.commerce;
const filled = async () => (await commerce().carts.create({ items: [{ variantId: mug.variant, quantity: 1 }] })).cart;
const checkedOut = async () => {
  const { checkout } = await commerce().checkouts.create({
    cartId: (await filled()).id,
    email: 'kim@example.com',
    shippingAddress: address,
  });
  return checkout;
};
const widget = async () => ({ checkoutId: (await checkedOut()).id, successUrl: redirectUrl, failUrl: redirectUrl });
const bridged = async () => ({ checkoutId: (await checkedOut()).id, providerSessionId: unique('session'), providerName: 'Bank' });
const captured = async () => {
  const session = await bridged();
  const { paymentSession } = await commerce().paymentSessions.custom.create(session);
  return {
    providerSessionId: session.providerSessionId,
    providerPaymentId: unique('payment'),
    eventId: unique('event'),
    captured: paymentSession.amount,
  };
};
const ordered = async () => (await commerce().paymentSessions.custom.confirm(await captured())).order.id;
const authorized = async () => (await shop.authorize(commerce().paymentSessions, account, (await checkedOut()).id)).order.id;
const draft = () => ({
  lines: [{ variant: mug.variant, quantity: 1 }],
  customerSnapshot: { name: 'Kim', email: 'kim@example.com', phone: '010-1' },
  shippingAddress: address,
});
const drafted = async () => ({ draftOrderId: (await commerce().draftOrders.create(draft())).doc.id });
const delivered = async () => {
  const orderId = await ordered();
  for (const to of ['preparing', 'shipped', 'delivered']) await commerce().orders.transition({ orderId, to });
  const { lines } = await commerce().returnRequests.returnable({ orderId });
  return { order: orderId, lines: [{ orderLine: lines[0].orderLine, quantity: 1 }] };
};
const requested = async (...steps) => {
  const returnRequestId = (await commerce().returnRequests.create(await delivered())).returnRequest.id;
  for (const step of steps) await commerce().returnRequests[step]({ returnRequestId });
  return { returnRequestId };
};
const category = async () => (await bench.client.collections.from('categories').create({ name: unique('Category') })).doc.id;

const arrangements = {
  'carts.addItem': async () => ({ cartId: (await filled()).id, variantId: mug.variant, quantity: 2 }),
  'checkouts.create': async () => ({ cartId: (await filled()).id, email: 'kim@example.com', shippingAddress: address }),
  'paymentSessions.create': () => widget(),
  'paymentSessions.confirm': async () => {
    const { paymentSession, action } = await commerce().paymentSessions.create(await widget());
    const { paymentKey } = await shop.pay({ orderId: action.orderId }, 'approve', 'once');
    await until(async () => {
      const { status } = await shop.must('GET', `/api/payment-sessions/${paymentSession.id}`);
      return status === 'processing';
    }, 'the server never heard of the approval'); // it would otherwise, by itself, while the change is played
    return { paymentSessionId: paymentSession.id, paymentKey, orderId: action.orderId, amount: action.amount };
  },
  'paymentSessions.release': async () => ({
    paymentSessionId: (await commerce().paymentSessions.create(await widget())).paymentSession.id,
    note: 'the bank has no such payment',
  }),
  'paymentSessions.reconcileAggregator': async () => {
    const { action } = await commerce().paymentSessions.createAggregator({
      checkoutId: (await checkedOut()).id,
      mode: 'standard_v2',
      channel: 'card',
      redirectUrl,
    });
    return async () => {
      await shop.pay({ paymentId: action.paymentId }); // whoever looks it up from now on settles it
      return { accountKey: account.accountKey, environment: 'test', providerPaymentId: action.paymentId };
    };
  },
  'paymentSessions.custom.create': () => bridged(),
  'paymentSessions.custom.confirm': () => captured(),
  'orders.cancel': async () => ({ orderId: await ordered(), reason: 'changed their mind' }),
  'orders.capture': async () => ({ orderId: await authorized(), amount: { amount: 1000, currency: 'KRW' } }),
  'orders.transition': async () => ({ orderId: await ordered(), to: 'preparing', note: 'soon' }),
  'draftOrders.create': () => draft(),
  'draftOrders.update': async () => ({ ...(await drafted()), operatorNotes: 'by phone' }),
  'draftOrders.finalize': () => drafted(),
  'draftOrders.discard': () => drafted(),
  'returnRequests.create': () => delivered(),
  'returnRequests.approve': () => requested(),
  'returnRequests.reject': async () => ({ ...(await requested()), reason: 'worn' }),
  'returnRequests.cancel': () => requested(),
  'returnRequests.receive': () => requested('approve'),
  'returnRequests.refund': () => requested('approve', 'receive'),
  'collections.create': () => [{ name: unique('Category') }],
  'collections.update': async () => [await category(), { description: 'changed' }],
  'collections.remove': async () => [await category()],
  'collections.updateEach': async () => [{ patches: [{ id: await category(), data: { description: 'each' } }] }],
  'collections.updateMany': async () => [{ where: { id: { in: [await category(), await category()] } }, data: { description: 'all' } }],
  'collections.removeMany': async () => [{ where: { id: { in: [await category(), await category()] } } }],
};

for (const [name, arrange] of Object.entries(arrangements)) eachFault(() => bench, name, arrange);

test('no change was left out', () => {
  const shared = /^commerce\.(carts?|checkouts)\.|^commerce\.paymentSessions\.(create|cancel)(Aggregator)?$|^commerce\.orders\.checkout$/; // with the browser's
  // An upload is not written down, so that it has a test of its own, beside the other helpers.
  const safe = /^(pending|commerce\.(addresses|product|search|reports|discounts|shipping|prints))\.|\.(from|upload|find\w*|count|retrieve\w*|calculate|returnable|preview)$/;
  // A job goes on by itself, so that the call is not the only one that makes events.
  const jobs = /^commerce\.(imports|exports)\./;
  const changes = [...bench.names]
    .filter((name) => !safe.test(name) && !jobs.test(name) && !shared.test(name))
    .map((name) => name.replace('commerce.', '').replace('from().', ''));
  const both = ['carts.addItem', 'checkouts.create', 'paymentSessions.create'];
  assert.deepEqual(Object.keys(arrangements).sort(), [...changes, ...both].sort());
});
