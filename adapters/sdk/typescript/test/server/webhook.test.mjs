// Real deliveries of the real server, to an endpoint that is served by the package, in Node's http.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { changed, changes, nodeHandler, webhook } from '@cartwright/sdk/webhook';
import { Shop, unique, until } from '../stage.mjs';

let shop, server, url;
let handle; // what the endpoint does; each test has its own

before(async () => {
  shop = await Shop.found('Webhooks');
  server = createServer((request, response) => handle(request, response));
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${server.address().port}/`;
});
after(() => server.close());

/** endpoint registers the address for some collections; it answers {doc, secret}. */
const endpoint = (...collections) => shop.must('POST', '/api/webhook-endpoints', { url, collections });

/** delivery is what the server has to say about the delivery of an event. */
const delivery = (id) =>
  until(async () => {
    const found = await shop.must('GET', `/api/webhook-deliveries/${id}`);
    return found.attempts?.length && found;
  }, 'no attempt was noted');

test('deliveries are verified, typed and answered', async () => {
  const { doc, secret } = await endpoint('products');
  const heard = [];
  handle = nodeHandler(
    webhook(
      { secret },
      { products: { create: (e) => void heard.push(e), update: (e) => void heard.push(e), delete: (e) => void heard.push(e) } },
    ),
  );
  const { product } = await shop.product({ price: 1000 });
  await shop.must('PATCH', `/api/products/${product.id}`, { price: 1200 });
  await shop.must('DELETE', `/api/products/${product.id}`);
  const of = await until(() => {
    const mine = heard.filter((e) => (e.doc ?? e.data).id === product.id);
    return mine.at(-1)?.operation === 'delete' && mine;
  });
  const [created, deleted] = [of[0], of.at(-1)];
  const priced = of.find((e) => e.operation === 'update' && changed(e, 'price'));
  assert.deepEqual([created.operation, created.collection, created.sequence, created.test], ['create', 'products', 1, false]);
  assert.equal(created.doc.name, product.name);
  assert.deepEqual(changes(priced).price, { from: 1000, to: 1200 });
  assert.ok(!changed(priced, 'name') && !changed(created, 'price') && !changed(deleted, 'price'));
  assert.deepEqual(changes(created), {});
  assert.equal(deleted.data.price, 1200);
  assert.ok(Math.abs(created.timestamp - Date.now()) < 300_000);
  assert.equal(new Set(of.map((e) => e.id)).size, of.length);
  await shop.must('DELETE', `/api/webhook-endpoints/${doc.id}`);
});

test('a handler that throws has the same event delivered again', async () => {
  const { doc, secret } = await endpoint('brands');
  const failures = [];
  const heard = [];
  const options = { secret, onError: (error, e) => void failures.push([error.message, e.id]) };
  handle = nodeHandler(
    webhook(options, (e) => {
      heard.push(e.id);
      if (heard.length === 1) throw new Error('the queue is down');
    }),
  );
  await shop.must('POST', '/api/brands', { name: unique('Brand') });
  const [id] = await until(() => failures[0] && heard);
  assert.deepEqual(failures, [['the queue is down', id]]);
  assert.equal((await delivery(id)).attempts[0].status, 500);
  await shop.must('POST', `/api/webhook-deliveries/${id}/redeliver`); // as it would be in a few seconds
  await until(() => heard.length >= 2);
  assert.equal(heard[1], id);
  await until(async () => (await delivery(id)).status === 'succeeded');
  await shop.must('DELETE', `/api/webhook-endpoints/${doc.id}`);
});

test('a test of the endpoint is told apart', async () => {
  const { doc, secret } = await endpoint('brands');
  const heard = [];
  handle = nodeHandler(webhook({ secret }, (e) => void heard.push(e)));
  await shop.must('POST', `/api/webhook-endpoints/${doc.id}/test`);
  const [e] = await until(() => heard.length && heard);
  assert.deepEqual([e.test, e.collection, e.operation, e.doc.id, e.sequence], [true, 'webhook-endpoints', 'update', doc.id, undefined]);
  assert.deepEqual(changes(e), {});
  await shop.must('DELETE', `/api/webhook-endpoints/${doc.id}`);
});

test('both secrets are good while one is replaced', async () => {
  const { doc, secret: old } = await endpoint('brands');
  const { secret } = await shop.must('POST', `/api/webhook-endpoints/${doc.id}/rotate-secret`);
  for (const known of [old, secret, [secret, old]]) {
    const heard = [];
    handle = nodeHandler(webhook({ secret: known }, (e) => void heard.push(e)));
    await shop.must('POST', `/api/webhook-endpoints/${doc.id}/test`);
    await until(() => heard.length);
  }
  await shop.must('DELETE', `/api/webhook-endpoints/${doc.id}`);
});

test('a token that the shop mails to a customer arrives', async () => {
  const { doc, secret } = await endpoint('customers');
  const heard = [];
  handle = nodeHandler(webhook({ secret }, { customers: (e) => void heard.push(e) }));
  const { email } = await shop.customer();
  const e = await until(() => heard.find((h) => h.data.verificationToken));
  assert.equal(e.doc.email, email);
  assert.ok(!Object.hasOwn(changes(e), 'verificationToken'));
  await shop.must('POST', '/api/customers/verify-email', { token: e.data.verificationToken }, { 'X-Client-Key': shop.testClientKey });
  await shop.must('DELETE', `/api/webhook-endpoints/${doc.id}`);
});
