// Who somebody is, written down: for a new customer, or a change.
import { html } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { api } from '../../base/shop.js';
import { replaced } from '../../base/undo.js';
import { fieldLabel, t } from '../../base/words.js';
import { AddressFields } from '../../parts/address.js';
import { Button } from '../../parts/button.js';
import { CheckField, LabelsField, TextField } from '../../parts/field.js';
import { FormDialog } from '../../parts/form.js';
import { tell } from '../../parts/toast.js';

/** @typedef {import('./customers.js').Customer} Customer */

const nobody = { name: '', email: '', phone: '', groups: [], note: '', marketingConsent: false, addresses: [] };

/**
 * Edit asks for what is known of a customer; null for a new one.
 * @param {{ customer: Customer | null, onClose: () => void, onSaved: (customer: Customer) => void, refresh?: () => void }} props
 */
export function Edit({ customer, onClose, onSaved, refresh }) {
  const customers = api.collections.from('customers');
  const form = useForm({
    name: `customers ${customer?.id ?? 'new'}`, initial: customer ?? nobody, ...(refresh && { refresh }),
    send: async (changes, { revision, ...options }) => {
      const { doc } = customer
        ? await customers.update(customer.id, /** @type {any} */ ({ ...changes, expectedRevision: revision }), options)
        : await customers.create(/** @type {any} */ (changes), options);
      const old = customer && replaced(changes, form.base, ['email', 'marketingConsent']);
      tell(t('common.saved'), old && ((again) => customers.update(customer.id, { ...old, expectedRevision: doc.revision }, again).then(refresh)));
      onClose();
      onSaved(/** @type {Customer} */ (doc));
    },
  });
  const text = (/** @type {string} */ path, props = {}) => html`<${TextField} key=${path} label=${fieldLabel('customers', path.replace(/\.\d+/, ''))}
    value=${form.get(path) ?? ''}
    error=${form.error(path)} autocomplete="off" onInput=${(/** @type {string} */ v) => form.set(path, v)} ...${props} />`;
  const title = customer ? t('customers.edit') : t('customers.new');
  return html`<${FormDialog} form=${form} id="customer" title=${title} size="large" slug="customers" onClose=${onClose}>
    <div class="two">${text('name', { autofocus: true })}${text('phone', { type: 'tel' })}</div>
    ${text('email', { type: 'email', required: true })}
    <${LabelsField} label=${fieldLabel('customers', 'groups')} value=${form.get('groups') ?? []} error=${form.error('groups')}
      onInput=${(/** @type {string[]} */ v) => form.set('groups', v)} />
    ${text('note', { rows: 2 })}
    <${CheckField} label=${fieldLabel('customers', 'marketingConsent')} help=${t('customers.consentHelp')} value=${form.get('marketingConsent') ?? false}
      error=${form.error('marketingConsent')} onInput=${(/** @type {boolean} */ v) => form.set('marketingConsent', v)} />
    <${Addresses} form=${form} text=${text} />
  <//>`;
}

/** @param {{ form: import('../../base/form.js').Form, text: (path: string, props?: object) => any }} props */
function Addresses({ form, text }) {
  const rows = /** @type {any[]} */ (form.get('addresses') ?? []);
  const first = (/** @type {number} */ at) => form.set('addresses', rows.map((row, i) => ({ ...row, isDefault: i === at })));
  return html`<fieldset class="stack group"><legend>${fieldLabel('customers', 'addresses')}</legend>
    ${rows.map((row, i) => html`<div class="row-group" key=${row.id ?? i}>
      ${text(`addresses.${i}.label`)}
      <${AddressFields} slug="customers" path="addresses" value=${row} error=${(/** @type {string} */ name) => form.error(`addresses.${i}.${name}`)}
        onInput=${(/** @type {object} */ parts) => form.set(`addresses.${i}`, { ...row, ...parts })} />
      <div class="between">
        <${CheckField} label=${fieldLabel('customers', 'addresses.isDefault')} value=${row.isDefault ?? false}
          onInput=${(/** @type {boolean} */ on) => (on ? first(i) : form.set(`addresses.${i}.isDefault`, false))} />
        <${Button} look="quiet" icon="trash" onClick=${() => form.set('addresses', rows.filter((_, n) => n !== i))}>${t('customers.removeAddress')}<//>
      </div>
    </div>`)}
    <div><${Button} icon="plus" onClick=${() => form.set('addresses', [...rows, {}])}>${t('customers.addAddress')}<//></div>
  </fieldset>`;
}
