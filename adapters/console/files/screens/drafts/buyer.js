// Who is on the phone, and where it goes.
import { html } from '../../vendor/ui.js';
import { addressParts } from '../../base/address.js';
import { useQuery } from '../../base/query.js';
import { href, screenOf } from '../../base/route.js';
import { api, can } from '../../base/shop.js';
import { fieldLabel, t } from '../../base/words.js';
import { AddressFields } from '../../parts/address.js';
import { Button } from '../../parts/button.js';
import { Field, TextField } from '../../parts/field.js';
import { Finder } from '../../parts/finder.js';
import { Icon } from '../../parts/icon.js';
import { Card } from '../../parts/state.js';
import { Money } from '../../parts/value.js';

/** @typedef {import('./store.js').Draft} Draft */
/** @typedef {import('../../vendor/sdk.js').Schemas['Customer']} Customer */

/** @param {Draft} draft the account of its buyer; undefined for a guest */
export function useBuyer({ values }) {
  const id = values?.customer ?? '';
  const read = (/** @type {AbortSignal} */ signal) => api.collections.from('customers').findById(id, { depth: 0 }, { signal });
  return useQuery(id && can('customers:read') ? `customer ${id}` : '', read, { live: ['customers'], record: id }).data;
}

/** @param {{ draft: Draft, input: { current: HTMLInputElement | null }, customer: Customer | undefined }} props */
export function Buyer({ draft, input, customer }) {
  const { values, change, within, error } = draft;
  const who = values?.customerSnapshot ?? {};
  const choose = (/** @type {Customer} */ c) => {
    const address = (c.addresses ?? []).find((a) => a.isDefault) ?? c.addresses?.[0];
    const empty = !addressParts.some((name) => values?.shippingAddress[name]);
    change({
      customer: c.id, customerSnapshot: { name: c.name, email: c.email, phone: c.phone },
      ...(address && empty && { shippingAddress: { ...values?.shippingAddress, ...addressOf(address) } }),
    });
  };
  const text = (/** @type {'name' | 'email' | 'phone'} */ name, /** @type {string} */ type) => html`<${TextField}
    label=${fieldLabel('draft-orders', `customerSnapshot.${name}`)} type=${type}
    value=${who[name] ?? ''} autocomplete="off" error=${error(`customerSnapshot.${name}`)}
      onInput=${(/** @type {string} */ v) => within('customerSnapshot', { [name]: v })} />`;
  return html`<${Card} title=${t('drafts.buyer')}>
    ${can('customers:read') && (values?.customer ? html`<${Account} id=${values.customer} customer=${customer}
      onRemove=${() => change({ customer: null })} />` : html`
      <${Field} label=${t('drafts.findBuyer')} help=${t('drafts.findBuyerHelp')}>
        ${(/** @type {any} */ a) => html`<div class="labels relation"><${Finder} attributes=${a} input=${input} eager=${false} find=${findCustomers}
          onChoose=${choose}
          placeholder=${t('drafts.findBuyerWith')} none=${t('drafts.unknownBuyer')} show=${(/** @type {Customer} */ c) => html`<span
            class="found-goods"><b>${c.name || c.email}</b><span>${c.phone ?? ''}</span><small>${c.email}</small></span>`} /></div>`}
      <//>`)}
    <div class="three">${text('name', 'text')}${text('phone', 'tel')}${text('email', 'email')}</div>
  <//>`;
}

/** @param {string} text @param {AbortSignal} signal */
async function findCustomers(text, signal) {
  return (await api.collections.from('customers').find({ q: text, limit: 8, depth: 0 }, { signal })).docs;
}

/** Account is the customer as the shop knows them. @param {{ id: string, customer: Customer | undefined, onRemove: () => void }} props */
function Account({ id, customer, onRemove }) {
  const read = (/** @type {AbortSignal} */ signal) => api.collections.from('orders').find({ where: { customer: { equals: id } }, sort: '-placedAt', limit: 1,
    depth: 0 }, { signal });
  const { data } = useQuery(can('orders:read') ? `orders of ${id}` : '', read, { live: ['orders'] });
  const last = data?.docs[0];
  return html`<div class="account"><${Icon} name="user" />
    <div><a href=${href(screenOf('customers', id))}><b>${customer?.name || customer?.email || '…'}</b></a> ${customer?.groups?.map((g) => html`<span
      class="chip" key=${g}>${g}</span>`)}
      ${data && html`<small>${t('drafts.ordersOf', { n: data.totalDocs })}${last && html` · <a
        href=${href(screenOf('orders', last.id))}>${last.orderNumber}</a> <${Money} amount=${last.totalAmount} currency=${last.currency} />`}</small>`}
      ${customer?.note && html`<p class="quote">${customer.note}</p>`}</div>
    <${Button} look="quiet" icon="x" label=${t('drafts.asGuest')} onClick=${onRemove} />
  </div>`;
}

/** addressOf is the address of an address book as an order has it. @param {NonNullable<Customer['addresses']>[number]} address */
function addressOf(address) {
  return Object.fromEntries(addressParts.map((name) => [name, /** @type {any} */ (address)[name] ?? null]));
}

/** @param {{ draft: Draft, customer: Customer | undefined, input: { current: HTMLElement | null } }} props */
export function Address({ draft, customer, input }) {
  const { values, within, error } = draft;
  const to = values?.shippingAddress ?? {};
  const who = values?.customerSnapshot ?? {};
  const other = who.name && (who.name !== to.recipientName || (who.phone ?? '') !== (to.phone ?? ''));
  return html`<${Card} title=${t('drafts.address')}>
    ${((customer?.addresses?.length ?? 0) > 0 || other) && html`<div class="choices-row" role="group" aria-label=${t('drafts.takeAddress')}>
      ${customer?.addresses?.map((a, i) => html`<${Button} key=${i} icon="map-pin"
        onClick=${() => within('shippingAddress', addressOf(a))}>${a.label || a.address1 || a.recipientName}<//>`)}
      ${other && html`<${Button} icon="user"
        onClick=${() => within('shippingAddress', { recipientName: who.name, phone: who.phone ?? null })}>${t('drafts.toBuyer')}<//>`}
    </div>`}
    <div ref=${input}><${AddressFields} slug="draft-orders" path="shippingAddress" value=${to}
      error=${(/** @type {string} */ name) => error(`shippingAddress.${name}`)}
      onInput=${(/** @type {object} */ parts) => within('shippingAddress', parts)} /></div>
  <//>`;
}
