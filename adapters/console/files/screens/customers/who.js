// Who somebody is, at a glance.
import { html } from '../../vendor/ui.js';
import { fieldLabel, t } from '../../base/words.js';
import { AddressLines } from '../../parts/address.js';
import { Badge, Card } from '../../parts/state.js';
import { Reach, Time, Yes } from '../../parts/value.js';

/** @param {{ customer: import('./customers.js').Customer, edit: any }} props */
export function Who({ customer, edit }) {
  const gone = customer.erasedAt || customer.erasingSince;
  const { email, phone, groups = [], note, isVerified, marketingConsent, consentedAt, createdAt } = customer;
  return html`<${Card} title=${t('customers.who')} top=${edit}>
    <${Reach} email=${!gone && email} phone=${phone} more=${isVerified && html`<${Badge} tone="good">${t('customers.verified')}<//>`} />
    ${groups.length > 0 && html`<p class="tags">${groups.map((g) => html`<span class="chip" key=${g}>${g}</span>`)}</p>`}
    ${note && html`<p class="quote">${note}</p>`}
    <dl class="facts">
      <div><dt>${fieldLabel('customers', 'marketingConsent')}</dt><dd><${Yes}
        value=${marketingConsent} /> ${marketingConsent && consentedAt && html`<small><${Time} at=${consentedAt} /></small>`}</dd></div>
      <div><dt>${fieldLabel('customers', 'createdAt')}</dt><dd><${Time} at=${createdAt} /></dd></div>
    </dl>
  <//>`;
}

/** Addresses is the address book, the one to start with first. @param {{ customer: import('./customers.js').Customer }} props */
export function Addresses({ customer }) {
  const all = (customer.addresses ?? []).filter((a) => a.recipientName || a.address1 || a.postalCode).sort((a,
    b) => Number(b.isDefault ?? false) - Number(a.isDefault ?? false));
  if (all.length === 0) return null;
  return html`<${Card} title=${fieldLabel('customers', 'addresses')}>
    ${all.map((a, i) => html`<address key=${i}>
      ${(a.label || a.isDefault) && html`<span><b>${a.label}</b> ${a.isDefault && html`<${Badge}>${fieldLabel('customers',
        'addresses.isDefault')}<//>`}</span>`}
      <${AddressLines} of=${a} />
      ${a.deliveryNote && html`<small>${a.deliveryNote}</small>`}
    </address>`)}
  <//>`;
}
