// What is verified is what the reference library of Standard Webhooks signs, and nothing else.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { MAX_DELIVERY_BYTES, nodeHandler, verify, webhook, WebhookVerificationError } from '@cartwright/sdk/webhook';

const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const other = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const event = {
  collection: 'orders',
  operation: 'update',
  data: { status: 'paid' },
  doc: { id: '1', status: 'paid', note: '한글 é' },
  previousDoc: { id: '1', status: 'pending' },
};
const body = JSON.stringify(event);

/** signed is a delivery by the reference library: its headers. */
const signed = (text = body, { by = secret, at = new Date(), id = 'evt_1' } = {}) => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(at / 1000)),
  'webhook-signature': new Webhook(by).sign(id, at, text),
});

const rejects = (promise, reason) =>
  assert.rejects(promise, (e) => {
    assert.ok(e instanceof WebhookVerificationError, String(e));
    assert.equal(e.reason, reason);
    assert.ok(!String(e).includes('whsec_A') && !String(e).includes('paid'), 'it repeats neither secret nor body');
    return true;
  });

test('what the reference library signs is verified', async () => {
  const headers = { ...signed(), 'webhook-sequence': '7' };
  const want = { ...event, id: 'evt_1', timestamp: new Date(Number(headers['webhook-timestamp']) * 1000), sequence: 7, test: false };
  assert.deepEqual(await verify(body, headers, secret), want);
  assert.deepEqual(await verify(new TextEncoder().encode(body), new Headers(headers), [other, secret]), want);
  assert.deepEqual(
    await verify(
      Buffer.from(body),
      {
        'Webhook-Id': 'evt_1',
        'Webhook-Timestamp': headers['webhook-timestamp'],
        'WEBHOOK-SIGNATURE': [headers['webhook-signature']],
        'webhook-sequence': '7',
      },
      secret,
    ),
    want,
  );
  const several = `v1a,abc v1,${'A'.repeat(44)} ${headers['webhook-signature']} v1,!`;
  assert.deepEqual(await verify(body, { ...headers, 'webhook-signature': several }, secret), want);
});

test('anything else is refused', async () => {
  const headers = signed();
  const [, signature] = headers['webhook-signature'].split(',');
  const cases = {
    'another secret': [body, headers, other],
    'another body': [body.replace('paid', 'void'), headers, secret],
    'a space more': [`${body} `, headers, secret],
    'another id': [body, { ...headers, 'webhook-id': 'evt_2' }, secret],
    'another time': [body, { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 1) }, secret],
    'another version': [body, { ...headers, 'webhook-signature': `v2,${signature}` }, secret],
    'half a signature': [body, { ...headers, 'webhook-signature': `v1,${signature.slice(0, 20)}` }, secret],
    'no version': [body, { ...headers, 'webhook-signature': signature }, secret],
    'an empty one': [body, { ...headers, 'webhook-signature': 'v1,' }, secret],
  };
  for (const [name, args] of Object.entries(cases))
    await assert.doesNotReject(rejects(verify(...args), 'webhook_signature_mismatch'), name);
});

test('what is missing, too old or no event is refused', async () => {
  const headers = signed();
  for (const name of Object.keys(headers))
    await rejects(verify(body, { ...headers, [name]: undefined }, secret), 'webhook_headers_missing');
  await rejects(verify(body, { ...headers, 'webhook-timestamp': 'yesterday' }, secret), 'webhook_timestamp_invalid');
  await rejects(verify(body, { ...headers, 'webhook-timestamp': '-1' }, secret), 'webhook_timestamp_invalid');
  for (const text of [
    '[]',
    'null',
    '{',
    '"x"',
    '{}',
    '{"collection":"orders","operation":"explode","data":{},"doc":{}}',
    '{"collection":"orders","operation":"create","data":{}}',
    '{"collection":1,"operation":"delete","data":{}}',
  ]) {
    await rejects(verify(text, signed(text), secret), 'webhook_payload_invalid');
  }
  const bytes = Uint8Array.of(123, 34, 255, 34, 125); // no UTF-8
  const mac = createHmac('sha256', Buffer.alloc(32, 1)).update('evt_1.0.').update(bytes).digest('base64');
  const headersOfBytes = { 'webhook-id': 'evt_1', 'webhook-timestamp': '0', 'webhook-signature': `v1,${mac}` };
  await rejects(verify(bytes, headersOfBytes, secret, { now: () => 0 }), 'webhook_payload_invalid');
});

test('a delivery is good for five minutes, or as long as is said', async () => {
  const at = new Date(1_700_000_000_000);
  const good = (seconds, options) => verify(body, signed(body, { at }), secret, { now: () => at.getTime() + seconds * 1000, ...options });
  for (const seconds of [-300, 0, 300]) await good(seconds);
  for (const seconds of [-301, 301, NaN]) await rejects(good(seconds), 'webhook_timestamp_out_of_tolerance');
  await good(9, { tolerance: 10 });
  await rejects(good(11, { tolerance: 10 }), 'webhook_timestamp_out_of_tolerance');
});

test('a secret that is none is told at once', async () => {
  for (const none of [
    undefined,
    '',
    [],
    'secret',
    'whsec_',
    'whsec_%%%',
    `whsec_${Buffer.alloc(23).toString('base64')}`,
    `whsec_${Buffer.alloc(65).toString('base64')}`,
    [secret, 'x'],
  ]) {
    assert.throws(() => webhook({ secret: none }, () => {}), { reason: 'webhook_secret_invalid' });
    await rejects(verify(body, signed(), none), 'webhook_secret_invalid');
  }
});

const post = (text = body, headers = signed(text)) => new Request('https://shop.example/hook', { method: 'POST', headers, body: text });

test('a route answers what became of the delivery, and nothing else', async () => {
  const heard = [];
  const hook = webhook(
    { secret, onError: () => {} },
    {
      orders: {
        update: (e) => {
          heard.push(e.doc.note);
          if (e.id === 'evt_bad') throw new Error(secret);
        },
      },
    },
  );
  const status = async (request) => {
    const answer = await hook(request);
    assert.equal(await answer.text(), '');
    return answer.status;
  };
  assert.equal(await status(post()), 200);
  assert.equal(await status(post(body, signed(body, { id: 'evt_bad' }))), 500);
  assert.equal(await status(post(body, signed(body, { by: other }))), 400);
  assert.equal(await status(post(`${body} `, signed())), 400);
  assert.deepEqual(heard, [event.doc.note, event.doc.note]);
  for (const unheard of [
    { ...event, operation: 'create' },
    { ...event, collection: 'constructor' },
    { ...event, collection: 'a-new-one' },
  ]) {
    assert.equal(await status(post(JSON.stringify(unheard))), 200);
  }
  assert.equal(heard.length, 2);
  assert.equal((await hook(new Request('https://shop.example/hook'))).status, 405);
  assert.equal(await status(post('x'.repeat(MAX_DELIVERY_BYTES + 1), signed('x'))), 413);
});

test('a handler is waited for', async () => {
  let done = false;
  const hook = webhook(
    { secret, onError: () => {} },
    {
      orders: async () => {
        await new Promise((later) => setImmediate(later));
        done = true;
        throw new Error('late');
      },
    },
  );
  assert.equal((await hook(post())).status, 500);
  assert.ok(done);
});

test('a failure nobody listens to is printed, without the body', async (t) => {
  const print = t.mock.method(console, 'error', () => {});
  await webhook({ secret }, () => {
    throw new Error('boom');
  })(post());
  const [sentence, error] = print.mock.calls[0].arguments;
  assert.match(sentence, /update of orders \(evt_1\)/);
  assert.equal(error.message, 'boom');
});

test('a listener that fails itself changes no answer', async (t) => {
  const print = t.mock.method(console, 'error', () => {});
  const fail = (word) => () => {
    throw new Error(word);
  };
  assert.equal((await webhook({ secret, onError: fail('the log is full') }, fail('boom'))(post())).status, 500);
  assert.deepEqual(
    print.mock.calls.map((call) => call.arguments[1].message),
    ['boom', 'the log is full'],
  );
});

test('Node’s http serves it, also behind a middleware that kept the bytes', async (t) => {
  const heard = [];
  const handler = nodeHandler(webhook({ secret }, (e) => void heard.push(e.id)));
  let middleware = async () => {};
  const server = createServer(async (request, response) => {
    await middleware(request);
    await handler(request, response);
  });
  t.after(() => server.close());
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const send = async (init = { method: 'POST', body, headers: signed() }) =>
    (await fetch(`http://127.0.0.1:${server.address().port}/`, init)).status;
  assert.equal(await send(), 200);
  assert.equal(await send({ method: 'POST', body, headers: signed('x') }), 400);
  assert.equal(await send({}), 405);
  const bytes = async (request) => {
    const all = [];
    for await (const part of request) all.push(part);
    return Buffer.concat(all);
  };
  middleware = async (request) => {
    request.body = await bytes(request);
  };
  assert.equal(await send(), 200);
  middleware = async (request) => {
    request.body = String(await bytes(request));
  };
  assert.equal(await send(), 200);
  assert.equal(heard.length, 3);
  const print = t.mock.method(console, 'error', () => {});
  middleware = async (request) => {
    request.body = JSON.parse(await bytes(request));
  };
  assert.equal(await send(), 500);
  assert.match(String(print.mock.calls[0].arguments[1]), /raw bytes/);
});
