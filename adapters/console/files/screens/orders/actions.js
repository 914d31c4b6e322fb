// What can be done with an order. Where money moves, what would happen is shown before.
import { html, useState } from '../../vendor/ui.js';
import { go } from '../../base/route.js';
import { api, can } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Acts, useAttempt } from '../../parts/acts.js';
import { showFile } from '../../parts/file.js';
import { tell } from '../../parts/toast.js';
import { CancelLines } from './cancel_lines.js';
import { CancelOrder } from './cancel_order.js';
import { Capture } from './capture.js';
import { MarkPaid } from './mark_paid.js';
import { Refund } from './refund.js';

/** The next step of an order, by its status. @type {Record<string, { to: 'paid' | 'preparing' | 'shipped' | 'delivered' | 'confirmed', icon: string, needs: string }>} */
const steps = {
  paid: { to: 'preparing', icon: 'package', needs: 'orders:fulfill' },
  preparing: { to: 'shipped', icon: 'truck', needs: 'orders:fulfill' },
  shipped: { to: 'delivered', icon: 'circle-check', needs: 'orders:fulfill' },
  delivered: { to: 'confirmed', icon: 'circle-check', needs: 'orders:fulfill' },
};

/**
 * @param {{ order: import('./order.js').Order, work: string | undefined, parcels: import('./order.js').Schemas['Fulfillment'][],
 *   onChanged: () => void }} props work: what is still to be packed of it
 */
export function OrderActions({ order, work, parcels, onChanged }) {
  const [open, setOpen] = useState('');
  const [busy, attempt] = useAttempt(onChanged);
  const step = steps[order.status];
  const unshipped = ['pending', 'authorized', 'paid', 'preparing'].includes(order.status);
  const move = (/** @type {typeof step} */ { to }) =>
    attempt(async () => {
      await api.call('POST /api/orders/{id}/transitions', { id: order.id, to, expectedRevision: order.revision ?? null });
      tell(t(`orders.moved-${to}`, { number: order.orderNumber }));
    });
  const captures = order.authorization && order.status === 'authorized' && can('payments:capture');
  const payable = order.status === 'pending' && can('payments:record');
  const refundable = can('orders:refund') && ['paid', 'partially_paid', 'partially_refunded'].includes(order.paymentStatus);
  const returnable = ['delivered', 'confirmed', 'return_requested', 'return_processing'].includes(order.status) && can('returns:decide');
  const cancels = can('orders:cancel') && unshipped;
  // What is packed has a carrier and a number, of which the buyer is told; an order that is shipped as it stands has neither.
  const packs = step?.to === 'shipped' && work && can(step.needs);
  const next = packs
    ? { keys: 'n', label: t('orders.pack'), icon: 'package', run: () => go(`/packing/${work}`) }
    : step && can(step.needs) && { keys: 'n', label: t(`orders.to-${step.to}`), icon: step.icon, run: () => move(step) };
  const others = [
    packs && { keys: 'k', label: t('orders.shipBare'), icon: 'truck', run: () => move(step) },
    { keys: 'p', label: t('orders.print'), icon: 'printer', run: () => showFile(api.file('GET /api/orders/{id}/invoice', { id: order.id })) },
    captures && { label: t('orders.capture'), icon: 'banknote', run: () => setOpen('capture') },
    payable && { keys: 'm', label: t('orders.markPaid'), icon: 'banknote', run: () => setOpen('paid') },
    refundable && { keys: 'u', label: t('orders.refund'), icon: 'banknote', run: () => setOpen('refund') },
    returnable && { keys: 'b', label: t('orders.return'), icon: 'undo-2', run: () => go(`/orders/${order.id}/return`) },
    cancels && { keys: 'l', label: t('orders.cancelLines'), icon: 'minus', run: () => setOpen('lines') },
    cancels && { label: t('orders.cancel'), icon: 'ban', danger: true, run: () => setOpen('cancel') },
  ];
  const close = () => setOpen('');
  const same = { order, onClose: close, onChanged };
  return html`<${Acts} ...${{ next, others, busy }} />
    ${open === 'refund' && html`<${Refund} ...${same} />`}
    ${open === 'capture' && html`<${Capture} ...${same} />`}
    ${open === 'paid' && html`<${MarkPaid} ...${same} />`}
    ${open === 'lines' && html`<${CancelLines} ...${same} parcels=${parcels} />`}
    ${open === 'cancel' && html`<${CancelOrder} ...${same} />`}`;
}
