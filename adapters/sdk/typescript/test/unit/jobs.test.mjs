// Files and jobs, where the shop does what the real one does not on demand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServerClient } from '@cartwright/sdk/server';
import { answer, broken, failure, refusal, shop } from './fake.mjs';

const pair = { clientKey: 'pk_test_unit', secretKey: 'sk_test_unit' };
const client = (from) => createServerClient({ ...pair, baseUrl: 'https://shop.test', fetch: from.fetch, retry: { baseDelay: 1, maxDelay: 1 } }).commerce;

const file = (body, type = 'text/csv') => () => new Response(body, { status: 200, headers: { 'content-type': type } });

/** half is a file that breaks off. */
const half = () =>
  file(
    new ReadableStream({
      start: (to) => to.enqueue(new TextEncoder().encode('ha')),
      pull: (to) => to.error(new TypeError('terminated')),
    }),
  )();

test('a file that breaks off is asked for again, and is never handed on in part', async () => {
  const s = shop(broken, refusal(503, 'unavailable', { retryable: true }), half, file('whole'));
  assert.equal(await (await client(s).exports.download({ exportId: 'e' })).text(), 'whole');
  assert.deepEqual([s.seen.length, s.seen[3].url, s.seen[3].headers.Accept], [4, 'https://shop.test/api/exports/e/file', '*/*']);
  assert.equal((await failure(client(shop(half)).prints.invoice({ orderId: 'o' }))).reason, 'network_error');
});

test('a page on the way is no file, and a refusal says why', async () => {
  const page = file('<p>Log in to the network', 'text/html; charset=utf-8');
  assert.equal((await failure(client(shop(page)).imports.rejected({ importId: 'i' }))).reason, 'invalid_response');
  const none = shop(refusal(409, 'export_not_done'));
  assert.equal((await failure(client(none).exports.download({ exportId: 'e' }))).reason, 'export_not_done');
  assert.equal(none.seen.length, 1);
});

test('who gives up waiting ends no job', async () => {
  const s = shop(answer({ id: 'i', status: 'running', handled: 7 }));
  const stop = new AbortController();
  const e = await failure(client(s).imports.wait({ importId: 'i' }, { signal: stop.signal, progress: () => stop.abort() }));
  assert.equal(e.reason, 'aborted');
  assert.deepEqual(s.seen.map((r) => `${r.method} ${r.url}`), ['GET https://shop.test/api/imports/i']);
});
