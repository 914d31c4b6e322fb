// What can be done with an order. Where money moves, what would happen is shown before.
import { html, useState } from '../../vendor/ui.js';
import { useShortcuts } from '../../base/keys.js';
import { go } from '../../base/route.js';
import { api, can } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { showFile } from '../../parts/file.js';
import { Menu } from '../../parts/menu.js';
import { complain, tell } from '../../parts/toast.js';
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
  delivered: { to: 'confirmed', icon: 'badge-check', needs: 'orders:fulfill' },
};

/** @param {{ order: import('./order.js').Order, transactions: import('./ledger.js').Movement[] | undefined, onChanged: () => void }} props */
export function OrderActions({ order, transactions, onChanged }) {
  const [open, setOpen] = useState('');
  const [busy, setBusy] = useState(false);
  const step = steps[order.status];
  const unshipped = ['pending', 'authorized', 'paid', 'preparing'].includes(order.status);
  const next = async () => {
    if (!step || busy) return;
    setBusy(true);
    try {
      await api.call('POST /api/orders/{id}/transitions', { id: order.id, to: step.to, expectedRevision: order.revision ?? null });
      onChanged();
      tell(t(`orders.moved-${step.to}`, { number: order.orderNumber }));
    } catch (e) {
      complain(e);
      onChanged();
    }
    setBusy(false);
  };
  const print = () => void showFile(api.file('GET /api/orders/{id}/invoice', { id: order.id }));
  const returnable = ['delivered', 'confirmed', 'return_requested', 'return_processing'].includes(order.status) && can('returns:decide');
  const refundable = can('orders:refund') && ['paid', 'partially_paid', 'partially_refunded'].includes(order.paymentStatus);
  const payable = order.status === 'pending' && can('payments:record');
  const takeBack = () => go(`/orders/${order.id}/return`);
  const items = [
    { label: t('orders.print'), icon: 'printer', run: print },
    ...(order.authorization && order.status === 'authorized' && can('payments:capture') ? [{ label: t('orders.capture'), icon: 'hand-coins', run: () => setOpen('capture') }] : []),
    ...(payable ? [{ label: t('orders.markPaid'), icon: 'hand-coins', run: () => setOpen('paid') }] : []),
    ...(refundable ? [{ label: t('orders.refund'), icon: 'banknote', run: () => setOpen('refund') }] : []),
    ...(returnable ? [{ label: t('orders.return'), icon: 'undo-2', run: takeBack }] : []),
    ...(can('orders:cancel') && unshipped
      ? [
          { label: t('orders.cancelLines'), icon: 'split', run: () => setOpen('lines') },
          { label: t('orders.cancel'), icon: 'ban', danger: true, run: () => setOpen('cancel') },
        ]
      : []),
  ];
  const may = step && can(step.needs);
  useShortcuts([
    ...(may ? [{ keys: 'n', label: t(`orders.to-${step.to}`), run: () => void next() }] : []),
    { keys: 'p', label: t('orders.print'), run: print },
    ...(refundable ? [{ keys: 'u', label: t('orders.refund'), run: () => setOpen('refund') }] : []),
    ...(payable ? [{ keys: 'm', label: t('orders.markPaid'), run: () => setOpen('paid') }] : []),
    ...(returnable ? [{ keys: 'b', label: t('orders.return'), run: takeBack }] : []),
    ...(can('orders:cancel') && unshipped ? [{ keys: 'l', label: t('orders.cancelLines'), run: () => setOpen('lines') }] : []),
  ]);
  const close = () => setOpen('');
  const same = { order, onClose: close, onChanged };
  return html`${may && html`<${Button} look="primary" icon=${step.icon} busy=${busy} onClick=${next} keys="n">${t(`orders.to-${step.to}`)}<//>`}
    <${Menu} label=${t('common.more')} items=${items} />
    ${open === 'refund' && html`<${Refund} ...${same} />`}
    ${open === 'capture' && html`<${Capture} ...${same} />`}
    ${open === 'paid' && html`<${MarkPaid} ...${same} />`}
    ${open === 'lines' && html`<${CancelLines} ...${same} />`}
    ${open === 'cancel' && html`<${CancelOrder} ...${same} transactions=${transactions} />`}`;
}
