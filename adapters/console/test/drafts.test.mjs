import assert from 'node:assert/strict';
import { test } from 'node:test';

globalThis.navigator ??= { languages: ['en'] }; // Node has none up to 20
globalThis.location ??= /** @type {any} */ ({ pathname: '/console/test', origin: 'http://shop.example', search: '' });
globalThis.window ??= /** @type {any} */ (globalThis);
globalThis.document ??= /** @type {any} */ ({ addEventListener: () => undefined, documentElement: {}, querySelector: () => null });
const { Keeper, withoutAmounts } = await import('../files/screens/drafts/store.js');
const { feeOf, isOver } = await import('../files/screens/drafts/terms.js');

test('a fee is what its text is from the first letter to the last', () => {
  const typed = ['', '3', '3,', '3,0', '3,00', '3,000', '3,000.5', 'free', '-1'];
  assert.deepEqual(typed.map(feeOf), [null, 3, undefined, undefined, undefined, 3000, 3000.5, undefined, undefined]);
});

test('agreed amounts do not go along into another currency', () => {
  const line = (terms) => ({ id: 'l', variant: 'v', quantity: 2, terms });
  const agreed = { unitPrice: 8000, discountAmount: null, discountPercent: null, reason: 'loyal' };
  const percent = { unitPrice: null, discountAmount: null, discountPercent: 5, reason: 'loyal' };
  const lines = [line(agreed), line({ ...percent, unitPrice: 8000 }), line({ ...agreed, unitPrice: null, discountAmount: 500 }), line(null)];
  assert.deepEqual(withoutAmounts(lines), [line(null), line(percent), line(null), line(null)]);
});

test('a link is over when its time is, whether or not its checkout may be read, and not while it is paid', () => {
  const past = '2026-01-01T00:00:00.000Z';
  assert.deepEqual([undefined, 'open', 'expired', 'payment_pending', 'requires_attention'].map((status) => isOver(past, status)),
    [true, true, true, false, false]);
  const ahead = new Date(Date.now() + 60_000).toISOString();
  assert.deepEqual([isOver(ahead, undefined), isOver(ahead, 'open'), isOver(undefined, undefined)], [false, false, false]);
});

/** shopWith is a shop that answers each try of a change as it is told; it lists what it was sent. */
function shopWith(...answers) {
  const calls = [];
  globalThis.fetch = async (_, { body, headers }) => {
    const { expectedRevision, ...values } = JSON.parse(body);
    calls.push({ ...values, revision: expectedRevision, key: headers['Idempotency-Key'] });
    const answer = answers.shift();
    return new Response(JSON.stringify(answer.body), { status: answer.status ?? 200 });
  };
  return calls;
}

const lost = { status: 500, body: { errors: [{ message: 'Busy', extensions: { reason: 'unavailable', retryable: true } }] } };
const wrong = { status: 400, body: { errors: [{ message: 'Wrong', extensions: { reason: 'validation_failed', retryable: false } }] } };
const kept = (revision) => ({ body: { doc: { id: 'd', revision, status: 'draft', lines: [] } } });

/** keeperOf keeps a draft that was read. */
function keeperOf() {
  const keeper = new Keeper(() => undefined, () => undefined);
  keeper.meet({ id: 'd', revision: 1, status: 'draft', lines: [] });
  return keeper;
}

test('a change that may have arrived is repeated as it was before the rest is sent', async () => {
  const calls = shopWith(lost, kept(2), kept(3));
  const keeper = keeperOf();
  keeper.change({ customerNotes: 'a' });
  assert.equal(await keeper.flush(), false);
  keeper.change({ customerNotes: 'ab' });
  assert.deepEqual([keeper.state(), keeper.unkept()], ['refused', { customerNotes: 'ab' }]);
  assert.equal(await keeper.flush(), true);
  assert.deepEqual(calls.map(({ customerNotes, revision }) => [customerNotes, revision]), [['a', 1], ['a', 1], ['ab', 2]]);
  assert.equal(calls[0].key, calls[1].key);
  assert.notEqual(calls[1].key, calls[2].key);
  assert.deepEqual([keeper.state(), keeper.record?.revision], ['kept', 3]);
});

test('a change that is refused is sent anew with what was typed since', async () => {
  const calls = shopWith(wrong, kept(2));
  const keeper = keeperOf();
  keeper.change({ customerNotes: 'a', shippingFee: -1 });
  assert.equal(await keeper.flush(), false);
  keeper.change({ shippingFee: 1 });
  assert.equal(await keeper.flush(), true);
  assert.deepEqual([calls[1].customerNotes, calls[1].shippingFee, calls[1].revision], ['a', 1, 1]);
});

test('what was refused is there again after a reload, with its key and its revision', async () => {
  const calls = shopWith(lost, wrong, kept(2), kept(3));
  const keeper = keeperOf();
  keeper.change({ customerNotes: 'a' });
  await keeper.flush();
  keeper.change({ customerNotes: 'ab' });
  clearTimeout(keeper.timer); // the page is gone
  const next = new Keeper(() => undefined, () => undefined);
  next.meet({ id: 'd', revision: 2, status: 'draft', lines: [] });
  assert.deepEqual([next.restored, next.unkept(), next.record?.revision], [true, { customerNotes: 'ab' }, 1]);
  await next.flush();
  assert.equal(calls[1].key, calls[0].key);
  assert.equal(await next.flush(), true);
  assert.equal(keeperOf().restored, false);
});

test('what was refused of a new draft is forgotten once there is one', async () => {
  shopWith(wrong, kept(1));
  const fresh = () => new Keeper(() => undefined, () => undefined, true);
  const keeper = fresh();
  keeper.change({ shippingFee: -1 });
  await keeper.flush();
  const next = fresh();
  assert.deepEqual(next.unkept(), { shippingFee: -1 });
  next.change({ shippingFee: 1 });
  assert.equal(await next.flush(), true);
  assert.deepEqual([fresh().restored, keeperOf().restored], [false, false]);
});
