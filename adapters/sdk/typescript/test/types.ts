// Compiled, never run: what must not compile stands under @ts-expect-error.
import { type CheckoutState, type Client, createClient, type Records, type ServerClient } from '@cartwright/sdk';
import * as root from '@cartwright/sdk';
import { createServerClient } from '@cartwright/sdk/server';

const browser: Client = createClient({ clientKey: 'pk_test_x', baseUrl: 'https://shop.test' });
const server: ServerClient = createServerClient({ clientKey: 'pk_test_x', secretKey: 'sk_test_x', baseUrl: 'https://shop.test' });
const line = { cartId: 'c', variantId: 'v', quantity: 1 };
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <T extends true>(): T | undefined => undefined;

export async function carts() {
  for (const { carts } of [browser.commerce, server.commerce]) {
    // @ts-expect-error the singular was given up in 0.45
    await carts.addItem({ ...line, admission: { name: 'A' } });
    // @ts-expect-error codes are replaced as a list
    await carts.applyDiscount({ cartId: 'c', discountCode: 'X' });
    // @ts-expect-error codes are replaced as a list
    await carts.removeDiscount({ cartId: 'c', discountCode: 'X' });
    // @ts-expect-error a line says how many
    await carts.addItem({ cartId: 'c', variantId: 'v' });
    await carts.updateDiscountCodes({ cartId: 'c', discountCodes: [] });
    const { cart, receipt } = await carts.addItem({ ...line, admissions: [{ name: 'A' }] }, { idempotencyKey: 'k', timeout: 5 });
    holds<Equal<typeof cart, typeof receipt>>();
  }
  const mine = await browser.commerce.carts.mine();
  // @ts-expect-error a customer may have no cart
  mine.cart.id;
  await server.commerce.carts.create({ customerId: 'u' });
  // @ts-expect-error only a server names the customer
  await browser.commerce.carts.create({ customerId: 'u' });
  await server.commerce.carts.merge({ sourceCartId: 'c', customerId: 'u' });
  await browser.commerce.carts.merge({ sourceCartId: 'c', targetCartId: 'd', cartToken: 'ct_' });
  // @ts-expect-error a server needs no token
  await server.commerce.carts.merge({ sourceCartId: 'c', cartToken: 'ct_' });
  await browser.commerce.carts.retrieve({ cartId: 'c', cartToken: 'ct_' });
  const codes = await browser.commerce.cart.applyDiscount({ cartId: 'c', discountCode: 'X' });
  codes.totalAmount.toFixed();
  await browser.commerce.cart.removeDiscount({ cartId: 'c', discountCode: 'X' });
}

export async function products() {
  const shown = await browser.commerce.product.detail({ slug: 's' });
  // @ts-expect-error it may not be there
  shown.product;
  if (shown.found) {
    // @ts-expect-error shoppers see no quantity
    shown.product.stock;
    // @ts-expect-error shoppers see no quantity
    shown.product.variants[0]?.availableQuantity;
    shown.product.variants[0]?.resolvedPrice?.amount.toFixed();
  } else {
    holds<Equal<typeof shown.reason, 'missing' | 'unpublished' | 'feature_disabled'>>();
  }
  const full = await server.commerce.product.detail({ id: 'i' });
  if (full.found) {
    const stock: number | null = full.product.stock;
    const free: number | null | undefined = full.product.variants[0]?.availableQuantity;
    return [stock, free];
  }
  // @ts-expect-error a slug or an id, not both
  await browser.commerce.product.detail({ slug: 's', id: 'i' });
  // @ts-expect-error a slug or an id
  await browser.commerce.product.detail({});
  return [];
}

export async function checkouts() {
  const state = await browser.commerce.checkouts.retrieve({ checkoutToken: 'co_' });
  // @ts-expect-error there is an order only once it is completed
  state.order;
  switch (state.status) {
    case 'completed':
      return state.order.orderNumber;
    case 'payment_pending':
      return state.paymentSession.id;
    case 'requires_attention':
      return state.reason;
    case 'open':
    case 'expired':
    case 'canceled':
      // @ts-expect-error nothing is to be paid
      return state.paymentSession;
  }
  const rest: never = state;
  // @ts-expect-error a shopper's checkout is found by token or id
  await browser.commerce.checkouts.retrieve({});
  await server.commerce.checkouts.retrieve({ checkoutId: 'k' });
  // @ts-expect-error a server names the checkout by its id
  await server.commerce.checkouts.retrieve({ checkoutToken: 'co_' });
  const page = await server.commerce.checkouts.query({ where: { status: { equals: 'open' } }, limit: 5 });
  page.docs[0]?.email;
  // @ts-expect-error the query shows whole checkouts
  await server.commerce.checkouts.query({ select: { email: true } });
  // @ts-expect-error listing is for servers
  await browser.commerce.checkouts.query({});
  return rest;
}

/** A state is told by its status alone. */
export const ended = (state: CheckoutState) => (state.status === 'completed' ? state.order.id : undefined);

export async function payments() {
  const at = { checkoutId: 'k', redirectUrl: 'https://shop.test/back' };
  const sessions = browser.commerce.paymentSessions;
  const hosted = await sessions.createAggregator({ ...at, mode: 'hosted_v2', method: 'CARD_KR' });
  hosted.checkoutUrl.length;
  // @ts-expect-error a hosted session has an address only
  hosted.action;
  const standard = await sessions.createAggregator({ ...at, mode: 'standard_v2', channel: 'card' });
  holds<Equal<typeof standard.action.currency, 'CURRENCY_KRW'>>();
  await sessions.createAggregator({ ...at, mode: 'standard_v2', channel: 'card', cashReceipt: { type: 'personal', number: '010-1234-5678' } });
  // @ts-expect-error a hosted page asks the buyer itself
  await sessions.createAggregator({ ...at, mode: 'hosted_v2', method: 'CARD_KR', cashReceipt: { type: 'personal', number: '010-1234-5678' } });
  // @ts-expect-error a standard session has no address
  standard.checkoutUrl;
  // @ts-expect-error exactly one method is chosen
  await sessions.createAggregator({ ...at, mode: 'hosted_v2' });
  // @ts-expect-error the list of methods is closed
  await sessions.createAggregator({ ...at, mode: 'hosted_v2', method: 'SHELLS' });
  const widget = await sessions.create({ checkoutId: 'k', successUrl: 's', failUrl: 'f' });
  widget.action.clientKey.length;
  for (const absent of ['confirm', 'custom', 'findAggregator', 'reconcileAggregator', 'release'] as const) {
    // @ts-expect-error servers only
    sessions[absent];
  }
  // @ts-expect-error the bridge for foreign providers is for servers
  browser.commerce.paymentSessions.custom;
  // @ts-expect-error the bridge for foreign providers is not in the root entry
  root.custom;
  // @ts-expect-error the server client is not in the root entry
  root.createServerClient;
  const found = await server.commerce.paymentSessions.findAggregator({ accountKey: 'a', environment: 'test', providerPaymentId: 'p' });
  // @ts-expect-error it may not be known
  found.paymentSession;
  if (found.found) found.paymentSession.id;
  await server.commerce.paymentSessions.custom.retrieve({ providerSessionId: 'x' });
  const settled = await server.commerce.paymentSessions.reconcileAggregator({ accountKey: 'a', environment: 'test', providerPaymentId: 'p' });
  if (!settled.found) holds<Equal<typeof settled.requiresAttention, true>>();
}

export async function orders() {
  const placed = await browser.commerce.orders.checkout({ cartId: 'c', customerSnapshot: { email: 'a@b.test' } });
  if (placed.order === null) placed.checkoutToken.length;
  else placed.order.id;
  // @ts-expect-error servers only
  browser.commerce.orders.cancel;
  // @ts-expect-error servers only
  browser.commerce.draftOrders;
  // @ts-expect-error servers only
  browser.commerce.returnRequests;
  const { movement, stock } = await server.commerce.product.adjustStock({ variantId: 'v', delta: 1, reason: 'received' });
  const moved: number = movement.delta + stock;
  void moved;
  // @ts-expect-error servers only
  browser.commerce.product.adjustStock;
  await server.commerce.orders.transition({ orderId: 'o', to: 'preparing' });
  // @ts-expect-error no such state
  await server.commerce.orders.transition({ orderId: 'o', to: 'lost' });
  const { valid } = await browser.commerce.discounts.validate({ code: 'X', orderAmount: 1 });
  return valid;
}

export async function collections() {
  const products = browser.collections.from('products');
  const page = await products.find({ where: { status: { equals: 'published' }, 'category.slug': { equals: 'shoes' } }, select: { name: true } });
  const name: string | null | undefined = page.docs[0]?.name;
  // @ts-expect-error a page only reads
  products.create;
  // @ts-expect-error a page only reads
  products.update;
  // @ts-expect-error a page only reads
  products.removeMany;
  // @ts-expect-error no client key reads these
  browser.collections.from('transactions');
  // @ts-expect-error no such collection
  server.collections.from('unicorns');
  browser.collections.from('orders'); // a customer's own
  // @ts-expect-error no such field
  await products.find({ where: { colour: { equals: 'red' } } });
  const made = await server.collections.from('brands').create({ name: 'B' });
  made.doc.id.length;
  await server.collections.from('media').upload({ file: new Blob(), filename: 'a.png', alt: 'A' });
  // @ts-expect-error media come with a file
  server.collections.from('media').create;
  // @ts-expect-error files are media
  server.collections.from('brands').upload;
  // @ts-expect-error a brand has a name
  await server.collections.from('brands').create({});
  await server.collections.from('products').updateMany({ where: { id: { in: ['a'] } }, data: { status: 'draft' } });
  // @ts-expect-error all records at once are never meant
  await server.collections.from('products').removeMany({});
  const { docs: people } = await server.collections.from('users').find();
  people[0]?.email?.length;
  // @ts-expect-error people are invited by people
  server.collections.from('users').create;
  // @ts-expect-error a secret key revokes nothing
  server.collections.from('user-invitations').remove;
  // @ts-expect-error orders are placed, not created
  server.collections.from('orders').create;
  const one = await server.collections.from('orders').findById('o');
  holds<Equal<Records['orders'], typeof one>>();
  return name;
}

export async function clients() {
  // @ts-expect-error a server client has no shopper
  server.customers;
  const me = await browser.customers.me();
  // @ts-expect-error nobody may be logged in
  me.customer.email;
  const [done] = await browser.pending.resume();
  done?.operation.length;
  // @ts-expect-error a reading call has no key
  await browser.commerce.carts.retrieve({ cartId: 'c' }, { idempotencyKey: 'k' });
}

export async function files() {
  const { exports, imports, prints } = server.commerce;
  const { export: asked } = await exports.start({ kind: 'orders', format: 'csv', where: { status: { equals: 'paid' } } });
  const done = await exports.wait({ exportId: asked.id }, { progress: (job) => job.handled.toFixed() });
  holds<Equal<typeof done, Records['exports']>>();
  // @ts-expect-error there is no such table
  await exports.start({ kind: 'dreams', format: 'csv' });
  // @ts-expect-error a file has a kind
  await imports.start({ file: new Blob([]) });
  const { import: sent } = await imports.start({ file: new Uint8Array(3), kind: 'stock', dryRun: true });
  for await (const row of imports.allRows({ importId: sent.id, status: 'rejected' })) row.row.toFixed();
  const file: Blob = await prints.many({ ids: 'a,b', document: 'label', size: 'a4-labels' });
  // @ts-expect-error a shopper has no files
  browser.commerce.exports;
  return file;
}
