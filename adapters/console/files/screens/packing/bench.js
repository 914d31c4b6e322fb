// The packing table: counts what is scanned into a parcel, or completes what needs none.
import { html } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { useShortcuts } from '../../base/keys.js';
import { narrow } from '../../base/screen.js';
import { api, can } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { FormFoot } from '../../parts/form.js';
import { Card } from '../../parts/state.js';
import { tell } from '../../parts/toast.js';
import { itemsOf, useCounting } from './counting.js';
import { Lines } from './lines.js';
import { ScanField } from './scan_field.js';

/** Nothing is packed in the beginning. */
const nothing = { units: {} };

/**
 * Bench packs or completes what is left.
 * @param {{ work: import('./work.js').Work, order: import('./work.js').Order, lines: import('./work.js').Line[], left: number, reload: () => void }} props
 */
export function Bench({ work, order, lines, left, reload }) {
  const manual = work.type === 'manual';
  const action = t(manual ? 'packing.complete' : 'packing.pack');
  const all = t(manual ? 'packing.everythingDone' : 'packing.everything');
  const may = can('orders:fulfill') && !order.hold && !['pending', 'failed', 'canceled'].includes(order.status);
  const form = useForm({
    name: `pack ${work.id}`,
    initial: nothing,
    send: ({ units }, options) => send(work, itemsOf(lines, units), options).finally(reload),
    onSent: () => {
      calm();
      tell(t(manual ? 'packing.completed' : 'packing.packed'));
    },
  });
  const { counted, everything, told, calm, scan, move, step, ...counting } = useCounting(order, lines, form);
  const pack = () => counted > 0 && void form.submit();
  useShortcuts(may ? [
    { keys: 'mod+Enter', label: action, everywhere: true, run: pack },
    { keys: 'mod+e', label: all, everywhere: true, run: everything },
  ] : []);
  const whole = counted < left ? t('packing.partial', { n: left - counted }) : t('packing.whole');
  const help = manual ? t('packing.howToComplete') : counted === 0 ? t('packing.howTo') : whole;
  const top = may && html`<b class="packed-count">${t('packing.counted', { n: counted, of: left })}</b>`;
  return html`<${Card} title=${t(manual ? 'packing.toComplete' : 'packing.table')} top=${top}>
    ${may && !manual && html`<${ScanField} told=${told} onScan=${scan} onMove=${move} onStep=${step} focused=${!narrow.value} />`}
    <form id="pack" onSubmit=${(/** @type {Event} */ e) => {
      e.preventDefault();
      pack();
    }}><${Lines} lines=${lines} may=${may} form=${form} ...${counting} /></form>
    ${may && html`<div class="bench-foot">
        <${Button} icon="check" keys="mod+e" disabled=${counted === left} onClick=${everything}>${all}<//>
        <p class="help">${help}</p>
      </div>
      <${FormFoot} form=${form} id="pack" action=${action} keys="mod+Enter" />`}
  <//>`;
}

/**
 * @param {import('./work.js').Work} work
 * @param {{ orderLine: string, quantity: number }[]} items
 * @param {{ idempotencyKey: string }} options
 * @returns {Promise<unknown>}
 */
function send({ id, type, revision }, items, options) {
  const input = { id, items, expectedRevision: revision ?? null };
  return type === 'manual'
    ? api.call('POST /api/fulfillment-orders/{id}/complete', input, options)
    : api.call('POST /api/fulfillment-orders/{id}/fulfillments', input, options);
}
