import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asked, askProof } from '../files/base/proof.js';

test('calls that wait for a proof at the same time are one question', async () => {
  assert.equal(asked.value, null);
  const [first, second] = [askProof(), askProof()];
  asked.value?.(true);
  assert.deepEqual(await Promise.all([first, second]), [true, true]);
  assert.equal(asked.value, null);
  const later = askProof();
  asked.value?.(false);
  assert.equal(await later, false);
});
