import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page, settled } from './page.mjs';

const { html, render } = await import('../files/vendor/ui.js');
const { CommerceSDKError } = await import('../files/vendor/sdk.js');
const { useForm } = await import('../files/base/form.js');

test('what may have been done can always be sent again, whatever its record has become, and nothing else can', async () => {
  const answers = [{ reason: 'network_error', status: 0 }, { reason: 'refund_exceeds_paid', code: 'unprocessable', status: 422 }];
  let form;
  const Refund = ({ revision }) => {
    form = useForm({
      name: 'unsure', initial: { amount: '', revision }, keep: false,
      send: () => Promise.reject(new CommerceSDKError('It failed.', answers.shift())),
    });
    return null;
  };
  const show = async (revision) => {
    render(html`<${Refund} revision=${revision} />`, page);
    await settled();
  };
  const type = async (amount) => {
    form.set('amount', amount);
    await settled();
  };
  await show(1);
  await type('2000');
  assert.equal(form.unsure, false);
  await form.submit();
  await show(2);
  assert.equal(form.unsure, true);
  await type('3000'); // is another refund
  assert.equal(form.unsure, false);
  await type('2000');
  assert.equal(form.unsure, true);
  await form.submit(); // it was refused, so nothing is left to be sent again
  await settled();
  assert.equal(form.unsure, false);
});

test('what may have been done is sent again as it was, though the record has another revision since', async () => {
  const sent = [];
  const answers = [{ reason: 'network_error', status: 0 }, { reason: 'changed_meanwhile', code: 'conflict', status: 412 }];
  let form;
  const Refund = ({ revision }) => {
    const initial = { amount: '', revision };
    form = useForm({
      name: 'refund', initial, keep: false,
      send: async (changes, { idempotencyKey, revision: known }) => {
        sent.push([changes.amount, revision, known, idempotencyKey]);
        const why = answers.shift();
        if (why) throw new CommerceSDKError('It failed.', why);
      },
    });
    return null;
  };
  const show = async (revision) => {
    render(html`<${Refund} revision=${revision} />`, page);
    await settled();
  };
  await show(1);
  form.set('amount', '2000');
  await settled();
  await form.submit();
  await show(2); // which the refund made, or somebody else
  await form.submit();
  assert.deepEqual(sent[1], sent[0]);
  await settled();
  await form.submit(); // the refusal told that nothing was done
  assert.deepEqual(sent[2].slice(0, 3), ['2000', 2, 2]);
  assert.notEqual(sent[2][3], sent[0][3]);
});
