import { html } from '../../vendor/ui.js';
import { optionLabel, t } from '../../base/words.js';
import { Card } from '../../parts/state.js';
import { Status, Time } from '../../parts/value.js';

/**
 * Parcels is what was packed of an order, and where it is.
 * @param {{ order: import('./order.js').Order, parcels: import('./order.js').Schemas['Fulfillment'][] }} props
 */
export function Parcels({ order, parcels }) {
  if (!order.lines.some((line) => line.requiresShipping)) return null;
  return html`<${Card} title=${t('orders.parcels')}>
    ${parcels.length === 0 && html`<p class="none">${t('orders.noParcels')}</p>`}
    <ul class="parcels">${parcels.map((p) => html`<li key=${p.id}>
      <${Status} slug="fulfillments" path="status" value=${p.status} />
      <span>${p.carrier ? optionLabel('fulfillments', 'carrier', p.carrier) : ''} ${p.trackingNumber && html`<code>${p.trackingNumber}</code>`}</span>
      <span>${t('orders.units', { n: p.items.reduce((n, l) => n + (l.quantity ?? 0), 0) })}</span>
      <${Time} at=${p.createdAt} relative />
    </li>`)}</ul>
  <//>`;
}
