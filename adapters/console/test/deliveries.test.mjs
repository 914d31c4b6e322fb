import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page, settled } from './page.mjs';

const { html, render } = await import('../files/vendor/ui.js');
const { useNextAttempt } = await import('../files/base/job.js');

test('a webhook or a mail that waits is looked at again when it is tried, and one that has ended is not', async (t) => {
  t.mock.timers.enable({ apis: ['Date'] });
  const reload = () => {};
  const waits = [];
  const { setTimeout: real } = globalThis;
  globalThis.setTimeout = /** @type {any} */ ((then, ms) => (then === reload ? waits.push(ms) : real(then, ms)));
  t.after(() => void (globalThis.setTimeout = real));
  const Screen = ({ delivery }) => useNextAttempt(delivery, reload);
  const show = async (delivery) => {
    render(html`<${Screen} delivery=${delivery} />`, page);
    await settled();
  };
  await show(undefined);
  await show({ nextAttemptAt: null });
  assert.deepEqual(waits, []);
  await show({ nextAttemptAt: new Date(60_000).toISOString() });
  assert.deepEqual(waits, [60_000]);
  await show({ nextAttemptAt: new Date(0).toISOString() }); // it is due, and soon done
  assert.deepEqual(waits, [60_000, 2_000]);
});
