import assert from 'node:assert/strict';
import test from 'node:test';
import htm from 'htm';
import { withCalls } from '../scripts/calls.mjs';

/** What a page would make of an element. */
const h = (type, properties, ...children) => ({ type, properties, children });
const X = 'X';
const given = { a: 'first', b: 'two `$\\', n: 3, rest: { id: 'i', class: 'late' }, f: (/** @type {number} */ n) => n + 1, X };

/** both compares what a template gives with what it gives as a call. */
function both(template) {
  const run = (code, html) => new Function('html', ...Object.keys(given), `return ${code}`)(html, ...Object.values(given));
  const code = withCalls(template, new Map());
  assert.ok(!code.includes('html`'), code);
  assert.deepEqual(run(code, h), run(template, htm.bind(h)), code);
}

test('a template as a call is what the template is', () => {
  both('html`<p class="note">text</p>`');
  both('html`<p>\n  a line ${a}\n  and "another"\n</p>`');
  both('html`<p class="is ${a} ${b}" title=${b} ...${rest} hidden>${a} · ${f(n)}</p>`');
  both('html`<p ...${rest} class=${`x ${a}`} />`');
  both('html`<${X} of=${html`<b>${a}</b>`}>${[1, n].map((i) => html`<i key=${i}>${i > 1 ? html`<u>${i}</u>` : null}</i>`)}<//>`');
  both('html`<${X} /><p data-x-y=${n}>$\\{n} \\` é</p>`');
  both('html`${a}`');
  both('html``');
});

test('a word is said by its number, and only by t()', () => {
  const numbers = new Map([['orders.refund', 7]]);
  assert.equal(withCalls("t(a ? 'orders.refund' : 'orders.other')", numbers), "t(a ? 7 : 'orders.other')");
  assert.equal(withCalls("html`<p>${t('orders.refund')}</p>`", numbers), "html(\"p\", null, (t(7)))");
  assert.equal(withCalls("t(a ? b : c ? 'orders.refund' : d, { n })", numbers), "t(a ? b : c ? 7 : d, { n })");
  for (const code of [
    "const name = 'orders.refund';", "t(pre + 'orders.refund'.slice(1))", "t(name === 'orders.refund' ? a : b)", "t(a, { name: 'orders.refund' })",
    'html`<${X} label="orders.refund" />`', 'html`<p>orders.refund</p>`', 'html`<p>${a} <b>orders.refund</b></p>`',
  ]) assert.throws(() => withCalls(code, numbers), /orders\.refund is the name of a word/, code);
});
