// The README's snippets, as they stand: installed by its own lines, and run against the real server section by section.
// What a snippet prints is what stands behind it as a comment.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { fileOf, moduleOf, root, sections } from './snippets.mjs';
import { Shop } from './stage.mjs';

const run = promisify(execFile);
let shop, project;

before(async () => {
  shop = await Shop.found('Readme');
  project = await mkdtemp(join(tmpdir(), 'cartwright-readme-'));
});
after(() => rm(project, { recursive: true }));

/** filled is a section's module with the shop's own address and keys in it. */
const filled = (title) =>
  moduleOf(title)
    .replaceAll('https://shop.example', shop.baseUrl)
    .replaceAll('pk_test_…', shop.testClientKey)
    .replaceAll('sk_test_…', shop.testSecretKey);

/** promised is what the comments behind console.log say that it prints. */
const promised = (code) => [...code.matchAll(/console\.log\(.*; \/\/ (.*)$/gm)].map(([, line]) => line);

/** play runs a section's module behind a prelude, and answers what it printed. */
async function play(title, prelude = '', alter = (code) => code) {
  const code = alter(filled(title));
  const file = fileOf(title);
  await writeFile(join(project, file), `${code}\n`);
  await writeFile(join(project, `before-${file}`), prelude);
  const { stdout, stderr } = await run('node', ['--import', `./before-${file}`, file], { cwd: project });
  assert.equal(stderr, '');
  const lines = stdout.split('\n').slice(0, -1);
  assert.deepEqual(lines, promised(code), title);
  return lines;
}

test('it is installed as it says', async () => {
  const [{ code }] = sections.get('Install').filter((b) => b.language === 'sh');
  await writeFile(join(project, 'package.json'), '{"private": true, "type": "module"}');
  // The package is built already, and other tests are reading it.
  const env = {
    ...process.env,
    PROJECT: project,
    npm_config_ignore_scripts: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_offline: 'true',
  };
  await run('sh', ['-eu', '-c', code], { cwd: root, env });
  const installed = await readdir(join(project, 'node_modules/@cartwright/sdk'));
  assert.deepEqual(installed.sort(), ['LICENSE', 'README.md', 'dist', 'package.json']);
});

test('every snippet is run by one of these tests', () => {
  const told = ['Install', 'A storefront', 'A server', 'Virtual accounts', 'Changes that happen once', 'When something fails', 'Webhooks'];
  const shown = [...sections].filter(([, blocks]) => blocks.length).map(([title]) => title);
  assert.deepEqual(shown, told);
  const languages = new Set([...sections.values()].flat().map((b) => b.language));
  assert.deepEqual([...languages].sort(), ['js', 'sh']);
});

/** shelf is what the snippets of a storefront find in the shop. */
async function shelf() {
  await shop.product({ name: 'Celadon cup', price: 28000, stock: 500 });
  await shop.must('POST', '/api/discounts', { code: 'WELCOME', title: 'Welcome', type: 'percentage', value: 10 });
  const post = { title: 'How a glaze is made', slug: 'glaze', status: 'published', publishedAt: '2026-01-31T09:00:00.000Z' };
  await shop.must('POST', '/api/posts', post, { 'X-API-Key': shop.secretKey });
}

// In place of the browser: what is opened is paid.
const page = (baseUrl) => `
globalThis.location = {
  async assign(url) {
    const session = new URL(url).pathname.split('/').at(-1);
    const body = JSON.stringify({ sessionId: session, outcome: 'approve', webhooks: 'never' });
    globalThis.paying = fetch('${baseUrl}/sandbox/authorize', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  },
};`;

test('the storefront sells', async () => {
  await shelf();
  const lines = await play('A storefront', page(shop.baseUrl), (code) =>
    code.replace('location.assign(checkoutUrl);', 'location.assign(checkoutUrl);\nawait paying;'),
  );
  assert.ok(lines.includes('paid 53400'));
});

test('the server sells', async () => {
  const pays = `
globalThis.paidInTheBrowser = async ({ orderId }) => (await fetch('${shop.baseUrl}/sandbox/authorize', {
  method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ orderId, outcome: 'approve', webhooks: 'never' }),
})).json();`;
  const lines = await play('A server', pays);
  assert.ok(lines.includes('refunded 42000'));
});

test('a virtual account is shown, mailed and waited for', async () => {
  await shop.product({ name: 'Deposit jar', price: 28000, stock: 5 });
  await play('Virtual accounts', '', (code) => code + depositing.replaceAll('https://shop.example', shop.baseUrl));
});

// What happens behind the last snippet about virtual accounts: a shopper chooses one, is mailed, and pays.
const depositing = `
import { createHmac } from 'node:crypto';

const { docs } = await shop.commerce.product.listingPage({ limit: 100 });
const detail = await shop.commerce.product.detail({ id: docs.find((d) => d.name === 'Deposit jar').id });
const { cart } = await shop.commerce.carts.create({ items: [{ variantId: detail.product.variants[0].id, quantity: 1 }] });
const { checkout } = await shop.commerce.checkouts.create({ cartId: cart.id, email: 'kim@example.com', shippingAddress: {
  recipientName: 'Kim', phone: '010-1', postalCode: '06236', address1: 'Gangnam 1', address2: '', deliveryNote: '', country: 'KR',
} });
const { paymentSession } = await shop.commerce.paymentSessions.createAggregator({
  checkoutId: checkout.id, mode: 'hosted_v2', method: 'CARD_KR', redirectUrl: 'https://storefront.example/back',
});
const bank = (path, body) => fetch('https://shop.example/sandbox/' + path, {
  method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
});
await bank('authorize', { sessionId: paymentSession.providerSessionId, outcome: 'virtual_account' });
let told;
const order = await orderOf(paymentSession.id, (instructions) => {
  told = instructions;
  void bank('payments/' + paymentSession.providerSessionId + '/deposit', {});
});
if (!/^Transfer ₩\\d\\d,000 to Sandbox Bank, account [\\d-]+ of Sandbox Payments, until /.test(words(told))) throw new Error(words(told));
if (order.status !== 'paid' || (await orderOf(paymentSession.id, () => {})).id !== order.id) throw new Error(order.status);

const secret = 'whsec_' + Buffer.from('a secret of an endpoint of mails').toString('base64');
const sent = [];
const mails = mailing(secret, async (mail) => { sent.push(mail); });
const deliver = (data, doc, previousDoc) => {
  const body = JSON.stringify({ collection: 'payment-sessions', operation: 'update', data, doc, previousDoc });
  const time = String(Math.floor(Date.now() / 1000));
  const mac = createHmac('sha256', Buffer.from(secret.slice(6), 'base64')).update('evt_1.' + time + '.' + body).digest('base64');
  return mails(new Request('https://mails.example', { method: 'POST', body, headers: {
    'Webhook-Id': 'evt_1', 'Webhook-Timestamp': time, 'Webhook-Signature': 'v1,' + mac,
  } }));
};
const before = { email: 'kim@example.com', customerName: '<b>Kim</b>', instructions: { account: null } };
const after = { ...before, instructions: told };
for (const answer of [await deliver({ instructions: told }, after, before), await deliver({ status: 'succeeded' }, after, after)]) {
  if (answer.status !== 200) throw new Error(answer.status);
}
const [mail] = sent;
if (sent.length !== 1 || mail.to !== 'kim@example.com' || mail.html.includes('<b>') || !mail.text.includes('<b>Kim</b>,') || !mail.text.includes(words(told))) {
  throw new Error(JSON.stringify(sent));
}
`;

test('changes happen once', () => play('Changes that happen once'));

test('failures say what they are', () => play('When something fails'));

test('webhooks are queued, then answered', async () => {
  const port = await freePort();
  const aimed = (code) => code.replace('8787', String(port)).replace('https://storefront.example/hooks', `http://127.0.0.1:${port}/`);
  await play('Webhooks', '', (code) => aimed(code) + happening);
  const queued = await readdir(join(project, 'queue'));
  assert.equal(queued.length, 1);
  const { order, status } = JSON.parse(await readFile(join(project, 'queue', queued[0]), 'utf8'));
  assert.deepEqual([(await shop.must('GET', `/api/orders/${order}`)).status, status], ['pending', 'pending']);
});

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

// What happens behind the last snippet about webhooks: an order is made and arrives in the queue, and a delivery is handled by
// the function that has no server around it.
const happening = `
import { createHmac } from 'node:crypto';
import { readdir } from 'node:fs/promises';

const [{ id: variant }] = (await shop.collections.from('product-variants').find({ limit: 1 })).docs;
const { doc: draft } = await shop.commerce.draftOrders.create({
  lines: [{ variant, quantity: 1 }], customerSnapshot: { name: 'Kim', email: 'kim@example.com', phone: '010-1' }, shippingAddress: {
    recipientName: 'Kim', phone: '010-1', postalCode: '06236', address1: 'Gangnam 1', address2: '', deliveryNote: '', country: 'KR',
  },
});
await shop.commerce.draftOrders.finalize({ draftOrderId: draft.id });
for (let tries = 0; tries < 1000 && !(await readdir('queue')).some((name) => name.endsWith('.json')); tries++) {
  await new Promise((later) => setTimeout(later, 10));
}
server.close();
server.closeAllConnections();
await shop.collections.from('webhook-endpoints').remove(doc.id);

const body = JSON.stringify({ collection: 'orders', operation: 'update', data: { status: 'paid' }, doc: { status: 'paid' }, previousDoc: { status: 'pending' } });
const time = String(Math.floor(Date.now() / 1000));
const mac = createHmac('sha256', Buffer.from(secret.slice(6), 'base64')).update('evt_1.' + time + '.' + body).digest('base64');
await handle(new Request('http://localhost/', { method: 'POST', body, headers: { 'webhook-id': 'evt_1', 'webhook-timestamp': time, 'webhook-signature': 'v1,' + mac } }));
`;
