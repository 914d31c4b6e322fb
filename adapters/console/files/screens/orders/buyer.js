// Who bought, and where it goes.
import { html, useMemo, useState } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { href, screenOf } from '../../base/route.js';
import { api, can, idOf } from '../../base/shop.js';
import { fieldLabel, t } from '../../base/words.js';
import { AddressFields, AddressLines } from '../../parts/address.js';
import { Button } from '../../parts/button.js';
import { TextField } from '../../parts/field.js';
import { FormDialog } from '../../parts/form.js';
import { Card } from '../../parts/state.js';
import { tell } from '../../parts/toast.js';
import { Reach } from '../../parts/value.js';

/** @param {{ order: import('./order.js').Order, onChanged: () => void }} props */
export function Buyer({ order, onChanged }) {
  const [editing, setEditing] = useState(false);
  const { name, phone } = order.customerSnapshot;
  const to = order.shippingAddress;
  const customer = idOf(order.customer);
  const edit = can('orders:update') && html`<${Button} look="quiet" icon="pencil" label=${t('orders.correct')} onClick=${() => setEditing(true)} />`;
  return html`<${Card} title=${t('orders.buyer')}>
      <p>${customer && can('customers:read') ? html`<a href=${href(screenOf('customers', customer))}>${name ?? order.email}</a>` : (name ?? '—')}</p>
      <${Reach} email=${order.email} phone=${phone} />
    <//>
    <${Card} title=${t('orders.address')} top=${edit}>
      <address><${AddressLines} of=${to} /></address>
      ${to.deliveryNote && html`<p class="quote">${to.deliveryNote}</p>`}
      ${order.notes && html`<p class="quote">${order.notes}</p>`}
    <//>
    ${editing && html`<${Correct} order=${order} onClose=${() => setEditing(false)} onChanged=${onChanged} />`}`;
}

/** @param {{ order: import('./order.js').Order, onClose: () => void, onChanged: () => void }} props */
function Correct({ order, onClose, onChanged }) {
  const { email, shippingAddress, notes, revision } = order;
  const initial = useMemo(() => ({ email, shippingAddress, notes, revision }), [order]);
  const form = useForm({
    name: `order ${order.id} address`,
    initial,
    refresh: onChanged,
    send: (changes, { revision, ...options }) => api.call('POST /api/orders/{id}/correct', { id: order.id, ...changes, expectedRevision: revision }, options),
    onSent: () => {
      onClose();
      onChanged();
      tell(t('orders.corrected'));
    },
  });
  const text = (/** @type {string} */ path, props = {}) => html`<${TextField} key=${path} label=${fieldLabel('orders', path)} value=${form.get(path) ?? ''} error=${form.error(path)}
    onInput=${(/** @type {string} */ v) => form.set(path, v)} ...${props} />`;
  return html`<${FormDialog} form=${form} id="correct" title=${t('orders.correct')} slug="orders" onClose=${onClose}>
    ${text('email', { type: 'email' })}
    <${AddressFields} slug="orders" path="shippingAddress" value=${form.get('shippingAddress')}
      error=${(/** @type {string} */ name) => form.error(`shippingAddress.${name}`)}
      onInput=${(/** @type {object} */ parts) => form.set('shippingAddress', { ...form.get('shippingAddress'), ...parts })} />
    ${text('notes', { rows: 2 })}
  <//>`;
}
