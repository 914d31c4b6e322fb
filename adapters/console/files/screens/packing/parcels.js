// The parcels of a fulfillment order: shipped, followed, taken apart again.
import { html, useState } from '../../vendor/ui.js';
import { useShortcuts } from '../../base/keys.js';
import { api, can } from '../../base/shop.js';
import { optionLabel, t } from '../../base/words.js';
import { useAttempt } from '../../parts/acts.js';
import { Button } from '../../parts/button.js';
import { confirm } from '../../parts/dialog.js';
import { showFile } from '../../parts/file.js';
import { Menu } from '../../parts/menu.js';
import { Card } from '../../parts/state.js';
import { tell } from '../../parts/toast.js';
import { Status, Time } from '../../parts/value.js';
import { CorrectTracking, Ship } from './ship.js';
import { fullName } from './work.js';

/** @typedef {import('./work.js').Parcel} Parcel */
/** @typedef {import('./work.js').Line} Line */

/**
 * Parcels is what was packed of a fulfillment order, each with what can be done with it.
 * @param {{ work: import('./work.js').Work, order: import('./work.js').Order, parcels: Parcel[], lines: Line[], reload: () => void }} props
 */
export function Parcels({ work, order, parcels, lines, reload }) {
  const first = parcels.find((p) => p.status === 'pending');
  const may = can('orders:fulfill') && !order.hold;
  useShortcuts(first && may ? [{ keys: 'mod+s', label: t('packing.ship'), everywhere: true, run: () => formOf(first)?.requestSubmit() }] : []);
  if (work.type === 'manual') return null;
  return html`<${Card} title=${t('packing.parcels')}>
    ${parcels.length === 0 && html`<p class="none">${t('packing.noParcels')}</p>`}
    <ol class="packed">${parcels.map(
      (parcel, i) => html`<${OneParcel} key=${parcel.id} n=${i + 1} ...${{ parcel, lines, may, reload }} keys=${parcel === first} />`,
    )}</ol>
  <//>`;
}

/** @param {Parcel} parcel */
const formOf = ({ id }) => /** @type {HTMLFormElement | null} */ (document.getElementById(`ship-${id}`));

/** @param {{ n: number, parcel: Parcel, lines: Line[], may: boolean, keys: boolean, reload: () => void }} props */
function OneParcel({ n, parcel, lines, may, keys, reload }) {
  const [correcting, setCorrecting] = useState(false);
  const [busy, attempt] = useAttempt(reload);
  const { id, status, carrier, trackingNumber } = parcel;
  const deliver = () => attempt(async () => {
    await api.call('POST /api/fulfillments/{id}/deliver', { id, expectedRevision: parcel.revision ?? null });
    tell(t('packing.delivered'));
  });
  const content = parcel.items.map((item) => `${fullName(lines.find((line) => line.id === item.orderLine))} × ${item.quantity}`).join(', ');
  return html`<li class=${status === 'canceled' ? 'over' : ''}>
    <div class="packed-head">
      <b>${t('packing.parcel', { n })}</b><${Status} slug="fulfillments" path="status" value=${status} />
      ${status !== 'pending' &&
      html`<span>${carrier && optionLabel('fulfillments', 'carrier', carrier)} ${trackingNumber && html`<code>${trackingNumber}</code>`}</span>`}
      <small><${Time} at=${parcel.deliveredAt ?? parcel.shippedAt ?? parcel.createdAt} relative /></small>
      <span class="packed-tools">
        ${status === 'shipped' && can('orders:fulfill') && html`<${Button} icon="circle-check" busy=${busy} onClick=${deliver}>${t('packing.deliver')}<//>`}
        ${status !== 'canceled' && html`<${Menu} label=${t('packing.ofParcel', { n })} items=${itemsOf(parcel, n, attempt, () => setCorrecting(true))} />`}
      </span>
    </div>
    <p>${content}</p>
    ${status === 'pending' && may && html`<${Ship} parcel=${parcel} keys=${keys} onShipped=${reload} />`}
    ${correcting && html`<${CorrectTracking} parcel=${parcel} onClose=${() => setCorrecting(false)} onChanged=${reload} />`}
  </li>`;
}

/**
 * @param {Parcel} parcel
 * @param {number} n
 * @param {(work: () => Promise<unknown>) => Promise<void>} attempt
 * @param {() => void} correct
 * @returns {import('../../parts/menu.js').Item[]}
 */
function itemsOf({ id, status, revision }, n, attempt, correct) {
  const cancel = async () => {
    const action = t('packing.cancel', { n });
    if (!(await confirm({ title: action, text: t('packing.cancelText'), action, danger: true }))) return;
    await attempt(async () => {
      await api.call('POST /api/fulfillments/{id}/cancel', { id, expectedRevision: revision ?? null });
      tell(t('packing.canceled'));
    });
  };
  const may = can('orders:fulfill');
  return [
    { label: t('packing.label'), icon: 'printer', run: () => void showFile(api.file('GET /api/fulfillments/{id}/label', { id })) },
    { label: t('packing.slip'), icon: 'printer', run: () => void showFile(api.file('GET /api/fulfillments/{id}/packing-slip', { id })) },
    ...(may && status === 'shipped' ? [{ label: t('packing.correct'), icon: 'pencil', run: correct }] : []),
    ...(may && status === 'pending' ? [{ label: t('packing.cancel', { n }), icon: 'ban', danger: true, run: () => void cancel() }] : []),
  ];
}
