// A shop that answers what a test tells it to. The real one is played in test/server.
import { createClient, memoryStore } from '@cartwright/sdk';

/** An answer of the shop. */
export const answer = (body, status = 200, headers = {}) => () =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

/** A refusal in the shop's form. */
export const refusal = (status, reason, more = {}, data) =>
  answer({ errors: [{ message: 'No.', data, extensions: { code: 'CODE', reason, requestId: 'r-body', ...more } }] }, status, { 'x-request-id': 'r-head' });

/** A connection that breaks before an answer. */
export const broken = () => {
  throw new TypeError('fetch failed');
};

/** A shop whose answers come one after the other; the last one for good. seen is what was sent to it. */
export function shop(...answers) {
  const seen = [];
  const fetch = async (url, init) => {
    const headers = init.headers;
    seen.push({ url, method: init.method, body: init.body, headers, key: headers['Idempotency-Key'], redirect: init.redirect });
    const next = answers.length > 1 ? answers.shift() : answers[0];
    return next(init, seen.length);
  };
  return { fetch, seen };
}

export const clientKey = 'pk_test_unit';

/** A browser client of a fake shop that never waits long. */
export function client(from, more = {}) {
  return createClient({
    clientKey,
    baseUrl: 'https://shop.test',
    fetch: from.fetch,
    retry: { attempts: 3, baseDelay: 1, maxDelay: 1 },
    storage: memoryStore(),
    pending: memoryStore(),
    ...more,
  });
}

export const cart = (revision, more = {}) => ({ id: 'c1', revision, lines: [], attributes: {}, status: 'active', ...more });

/** What a promise fails with; it must fail. */
export async function failure(promise) {
  try {
    await promise;
  } catch (e) {
    return e;
  }
  throw new Error('it did not fail');
}
