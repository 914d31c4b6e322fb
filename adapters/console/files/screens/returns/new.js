// A return that the shop asks for itself, for a buyer who called or wrote: units, fees and what would be given back for them.
import { html, useRoute } from '../../vendor/ui.js';
import { amountIn } from '../../base/amount.js';
import { useForm } from '../../base/form.js';
import { money } from '../../base/format.js';
import { useShortcuts } from '../../base/keys.js';
import { useQuery } from '../../base/query.js';
import { go, href } from '../../base/route.js';
import { api } from '../../base/shop.js';
import { collectionLabel, fieldLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { NumberField, TextField } from '../../parts/field.js';
import { FormFoot } from '../../parts/form.js';
import { Card, Empty, Loading, Notice, Page, Refused } from '../../parts/state.js';
import { tell } from '../../parts/toast.js';
import { usePreview } from '../../base/preview.js';
import { ReturnLine } from './line.js';
import { Sums, titles } from './sums.js';

/** @typedef {import('../../vendor/sdk.js').Order} Order */
/** @typedef {import('../../vendor/sdk.js').OperatorAnswer<'GET /api/orders/{id}/returnable'>} Returnable */

export default function NewReturn() {
  const { id = '' } = useRoute().params;
  const read = async (/** @type {AbortSignal} */ signal) => {
    const [order, returnable] = await Promise.all([
      api.collections.from('orders').findById(id, { depth: 0 }, { signal }),
      api.call('GET /api/orders/{id}/returnable', { id }, { signal }),
    ]);
    return { order, returnable };
  };
  const { data, refusal, reload } = useQuery(`returnable ${id}`, read, { live: ['return-requests'] });
  const back = { href: href(`/orders/${id}`), label: collectionLabel('orders', 'one') };
  return html`<${Page} title=${t('returns.new', { number: data?.order.orderNumber ?? '' })} back=${back}>
    ${refusal && html`<${Refused} refusal=${refusal} again=${reload} />`}
    ${!data && !refusal && html`<${Loading} lines=${8} />`}
    ${data && (data.returnable.lines.some((l) => l.remaining > 0)
      ? html`<${Editor} key=${id} ...${data} />`
      : html`<${Empty} icon="undo-2" title=${t('returns.nothingLeft')} text=${t('returns.nothingLeftText')} />`)}
  <//>`;
}

/** Amounts of a return that are not of one of its lines. */
const amounts = ['initialShippingRefundAmount', 'returnShippingFee'];

/**
 * inputOf is what is asked of the shop.
 * @param {Order} order
 * @param {Record<string, any>} values of the form
 * @returns {{ order: string, lines: { orderLine: string, quantity: number }[] }}
 */
function inputOf(order, values) {
  /** @type {{ orderLine: string, quantity: number }[]} */
  const lines = order.lines.flatMap(({ id }) => {
    const { quantity, reason, restockingFee: fee, restock } = values.lines?.[id] ?? {};
    if (!quantity || quantity === '0') return [];
    const more = { ...(reason && { reason }), ...(fee && { restockingFee: amountIn(fee) }), ...(restock === false && { restock }) };
    return [{ orderLine: id, quantity: amountIn(quantity), ...more }];
  });
  const whole = Object.fromEntries(amounts.filter((name) => values[name]).map((name) => [name, amountIn(values[name])]));
  return { order: order.id, lines, ...whole, ...(values.auditNote && { auditNote: values.auditNote }) };
}

/** @param {{ order: Order, returnable: Returnable }} props */
function Editor({ order, returnable }) {
  const { currency } = returnable;
  const form = useForm({
    name: `return of ${order.id}`,
    initial: { lines: {}, initialShippingRefundAmount: '', returnShippingFee: '', auditNote: '' },
    send: async (_, { idempotencyKey }) => {
      const answer = await api.call('POST /api/return-requests', inputOf(order, form.values), { idempotencyKey });
      tell(t('returns.created'));
      go(`/returns/${answer.returnRequest.id}`, { replace: true });
    },
  });
  const input = inputOf(order, form.values);
  const any = input.lines.length > 0;
  const { preview, refusal } = usePreview(any ? JSON.stringify(input) : '', (signal) => api.preview('POST /api/return-requests/preview', input, { signal }));
  const all = (/** @type {Returnable['lines'][number]} */ { orderLine, remaining }) =>
    [orderLine, { ...form.get(`lines.${orderLine}`), quantity: String(remaining || '') }];
  const every = () => form.set('lines', Object.fromEntries(returnable.lines.map(all)));
  useShortcuts([
    { keys: 'a', label: t('returns.every'), run: every },
    { keys: 'mod+Enter', label: t('returns.create'), everywhere: true, run: () => void (any && preview && form.submit()) },
  ]);
  const lineProps = (/** @type {Order['lines'][number]} */ line) => ({
    line, form, currency, of: returnable.lines.find((l) => l.orderLine === line.id), index: input.lines.findIndex((l) => l.orderLine === line.id),
  });
  return html`<div class="columns">
    <form id="return" class="stack return-form" onSubmit=${form.send}>
      <${Card} title=${t('returns.lines')} top=${html`<${Button} onClick=${every} keys="a">${t('returns.every')}<//>`}>
        ${order.lines.map((line) => html`<${ReturnLine} key=${line.id} ...${lineProps(line)} />`)}
      <//>
      <${Shipping} ...${{ form, returnable }} fee=${order.returnShippingPolicy?.returnShippingFee ?? 0}
        suggested=${preview?.suggestedInitialShippingRefund ?? returnable.suggestedInitialShippingRefund} />
    </form>
    <aside class="return-follows"><${Card} title=${t('returns.money')}>
      <div aria-live="polite">
        ${!any && html`<p class="none">${t('returns.chooseUnits')}</p>`}
        ${refusal && !form.refusal && html`<${Notice} kind="warn">${refusal.text}<//>`}
        ${preview && html`<${Sums} amounts=${preview} titleOf=${titles(order)} />`}
      </div>
      <p class="help">${t('returns.createText')}</p>
      <${FormFoot} form=${form} id="return" action=${t('returns.create')} ready=${any && preview !== undefined} />
    <//></aside>
  </div>`;
}

/**
 * Shipping is what of the first delivery is given back, and what the way back costs the customer.
 * @param {{ form: import('../../base/form.js').Form, returnable: Returnable, fee: number, suggested: number }} props
 * fee: of the shop's policy; whether it is due, whoever knows the reason decides
 */
function Shipping({ form, returnable, fee, suggested }) {
  const { currency, initialShippingRefundCap: cap } = returnable;
  const input = (/** @type {string} */ name) => ({
    label: fieldLabel('return-requests', name), ...form.input(name),
  });
  const told = { cap: money(cap, currency), suggested: money(suggested, currency) };
  const offer = (/** @type {string} */ name, /** @type {number} */ amount, /** @type {string} */ word) => amount > 0 && html`<${Button}
    onClick=${() => form.set(name, String(amount))}>${t(`returns.${word}`, { amount: money(amount, currency) })}<//>`;
  const unexplained = returnable.auditNoteRequired && form.values.initialShippingRefundAmount;
  return html`<${Card} title=${t('returns.shipping')}>
    ${cap > 0 && html`<${NumberField} ...${input('initialShippingRefundAmount')} unit=${currency} help=${t('returns.shippingHelp', told)} />`}
    ${cap > 0 && offer('initialShippingRefundAmount', suggested, 'suggested')}
    <${NumberField} ...${input('returnShippingFee')} unit=${currency} help=${t('returns.returnShippingHelp')} />
    ${offer('returnShippingFee', fee, 'policyFee')}
    ${unexplained && html`<${TextField} ...${input('auditNote')} rows=${2} help=${t('returns.auditHelp')} required />`}
  <//>`;
}
