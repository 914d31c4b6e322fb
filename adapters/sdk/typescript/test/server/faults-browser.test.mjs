// Every change that the browser client can make has one effect, whatever the network does.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createClient, memoryStore } from '@cartwright/sdk';
import { address, redirectUrl, Shop } from '../stage.mjs';
import { Bench, eachFault } from './faults.mjs';

let shop, mug, gift, code, bench, customer;

before(async () => {
  shop = await Shop.found('Faults');
  mug = await shop.product();
  gift = await shop.gift();
  code = (await shop.discount()).code;
  customer = await shop.customer();
  bench = await Bench.of(shop, (config) => createClient({ ...config, storage: memoryStore() }));
});

const commerce = () => bench.client.commerce;
const filled = async (variantId = mug.variant) => (await commerce().carts.create({ items: [{ variantId, quantity: 1 }] })).cart;
const line = async () => {
  const cart = await filled();
  return { cartId: cart.id, lineId: cart.lines[0].id };
};
const previous = async () => {
  const { id: cartId } = await commerce().cart.create({});
  const { lines } = await commerce().cart.addItem({ cartId, variantId: mug.variant, quantity: 1 });
  return { cartId, lineId: lines[0].id };
};
const checkedOut = async (variantId) => {
  const cart = await filled(variantId);
  const { checkout } = await commerce().checkouts.create({ cartId: cart.id, email: 'kim@example.com', shippingAddress: address });
  return { checkoutId: checkout.id };
};
const widget = async () => ({ ...(await checkedOut()), successUrl: redirectUrl, failUrl: redirectUrl });
const hosted = async () => ({ ...(await checkedOut()), mode: 'hosted_v2', method: 'CARD_KR', redirectUrl });
const loggedIn = async (work) => {
  if (!(await bench.client.customers.me()).customer) await bench.client.customers.login(customer);
  return work();
};

/** arrangements are what is there before each change, and its input. */
const arrangements = {
  'carts.create': () => ({ items: [{ variantId: mug.variant, quantity: 1 }] }),
  'carts.addItem': async () => ({ cartId: (await filled()).id, variantId: mug.variant, quantity: 2 }),
  'carts.updateItem': async () => ({ ...(await line()), quantity: 5 }),
  'carts.removeItem': () => line(),
  'carts.updateDiscountCodes': async () => ({ cartId: (await filled()).id, discountCodes: [code] }),
  'carts.updateAttributes': async () => ({ cartId: (await filled()).id, attributes: { note: 'é "quoted" 한국' } }),
  'carts.clear': async () => ({ cartId: (await filled()).id }),
  'carts.merge': async () => ({ sourceCartId: (await filled()).id, targetCartId: (await filled()).id }),
  'cart.create': () => ({}),
  'cart.addItem': async () => ({ cartId: (await previous()).cartId, variantId: mug.variant, quantity: 1 }),
  'cart.updateItem': async () => ({ ...(await previous()), quantity: 4 }),
  'cart.removeItem': () => previous(),
  'cart.updateDiscountCodes': async () => ({ cartId: (await previous()).cartId, discountCodes: [code] }),
  'cart.clear': async () => ({ cartId: (await previous()).cartId }),
  'cart.applyDiscount': async () => ({ cartId: (await previous()).cartId, discountCode: code }),
  'cart.removeDiscount': async () => {
    const { cartId } = await previous();
    await commerce().cart.applyDiscount({ cartId, discountCode: code });
    return { cartId, discountCode: code };
  },
  'checkouts.create': async () => ({ cartId: (await filled()).id, email: 'kim@example.com', shippingAddress: address }),
  'checkouts.update': async () => ({ ...(await checkedOut()), email: 'lee@example.com' }),
  'checkouts.complete': () => checkedOut(gift.variant),
  'paymentSessions.create': () => widget(),
  'paymentSessions.cancel': async () => ({ paymentSessionId: (await commerce().paymentSessions.create(await widget())).paymentSession.id }),
  'paymentSessions.createAggregator': () => hosted(),
  'paymentSessions.cancelAggregator': async () => ({
    paymentSessionId: (await commerce().paymentSessions.createAggregator(await hosted())).paymentSession.id,
  }),
  // The only one that needs a customer; the last one, since whoever is logged in owns the carts they make.
  'orders.checkout': () =>
    loggedIn(async () => ({
      cartId: (await filled()).id,
      customerSnapshot: { name: 'Kim', email: customer.email, phone: '010-1' },
      shippingAddress: address,
    })),
};

for (const [name, arrange] of Object.entries(arrangements)) eachFault(() => bench, name, arrange);

test('no change was left out', () => {
  const safe = /^(collections|customers|invitations|pending|commerce\.(addresses|product|discounts|shipping))\.|\.(cached|get|mine|retrieve|retrieveAggregator)$/;
  const changes = [...bench.names].filter((name) => !safe.test(name)).map((name) => name.replace('commerce.', ''));
  assert.deepEqual(Object.keys(arrangements).sort(), changes.sort());
});
