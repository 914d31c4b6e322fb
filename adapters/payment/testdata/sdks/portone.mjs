// PortOne's own SDK for servers, unmodified, against the fake: it reads a payment, cancels parts of it, is told why
// another part cannot be canceled, and verifies a webhook. FIXTURE is made by TestOfficialServerSDKOfPortOne.
import assert from 'node:assert/strict';
import { PaymentClient } from '@portone/server-sdk/payment';
import { verify } from '@portone/server-sdk/webhook';

const { baseUrl, secret, storeId, paymentId, webhook } = JSON.parse(process.env.FIXTURE);
const payments = PaymentClient({ secret, baseUrl, storeId });
const refused = (type) => (error) => error.data?.type === type;

const paid = await payments.getPayment({ paymentId });
assert.equal(paid.status, 'PAID');
assert.equal(paid.id, paymentId);
assert.equal(paid.storeId, storeId);
assert.deepEqual([paid.amount.total, paid.currency, paid.channel.type], [15000, 'KRW', 'TEST']);

const { cancellation } = await payments.cancelPayment({ paymentId, amount: 5000, currentCancellableAmount: 15000, reason: 'one returned' });
assert.deepEqual([cancellation.status, cancellation.totalAmount, cancellation.reason], ['SUCCEEDED', 5000, 'one returned']);
const left = await payments.getPayment({ paymentId });
assert.deepEqual([left.status, left.amount.cancelled, left.cancellations.length], ['PARTIAL_CANCELLED', 5000, 1]);

const cancel = (request) => payments.cancelPayment({ paymentId, reason: 'again', ...request });
await assert.rejects(cancel({ amount: 5000, currentCancellableAmount: 15000 }), refused('CANCELLABLE_AMOUNT_CONSISTENCY_BROKEN'));
await assert.rejects(cancel({ amount: 10001 }), refused('CANCEL_AMOUNT_EXCEEDS_CANCELLABLE_AMOUNT'));
await assert.rejects(cancel({ amount: '5000' }), refused('INVALID_REQUEST'));
await assert.rejects(cancel({ refundAccount: { bank: 'SHINHAN', number: '1' } }), refused('INVALID_REQUEST'));
await cancel({});
await assert.rejects(cancel({}), refused('PAYMENT_ALREADY_CANCELLED'));
await assert.rejects(payments.getPayment({ paymentId: 'Nobody12345' }), refused('PAYMENT_NOT_FOUND'));
await assert.rejects(PaymentClient({ secret: 'other', baseUrl, storeId }).getPayment({ paymentId }), refused('UNAUTHORIZED'));

const event = await verify(webhook.secret, webhook.body, webhook.headers);
assert.deepEqual([event.type, event.data.paymentId], ['Transaction.Paid', paymentId]);
await assert.rejects(verify(webhook.secret, `${webhook.body} `, webhook.headers), (error) => error.reason === 'NO_MATCHING_SIGNATURE');
