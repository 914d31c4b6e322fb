// Above which amounts somebody proves who they are before money is given back: one for each currency.
import { html } from '../../vendor/ui.js';
import { numberOf } from '../../base/amount.js';
import { fieldLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { NumberField, TextField } from '../../parts/field.js';

const path = 'settings.proofAbove';

/** ProofAbove edits them. @param {{ form: import('../../base/form.js').Form, currency: string, doc: string | undefined }} props doc: what the API says of them */
export function ProofAbove({ form, currency, doc }) {
  const limits = /** @type {{ amount: any, currency: string }[]} */ (form.get(path) ?? []);
  const label = (/** @type {string} */ name) => fieldLabel('tenants', `${path}.${name}`);
  const set = (/** @type {number} */ i, /** @type {string} */ name) => (/** @type {any} */ v) => form.set(`${path}.${i}.${name}`, v);
  const error = form.error(path);
  return html`<fieldset class="group wide"><legend>${fieldLabel('tenants', path)}</legend>
    <p class="help">${doc}</p>
    ${limits.map((limit, i) => html`<div key=${i} class="limit" role="group" aria-label=${limit.currency}>
      <${NumberField} label=${label('amount')} required value=${limit.amount} error=${form.error(`${path}.${i}.amount`)}
        onInput=${(/** @type {string} */ v) => set(i, 'amount')(numberOf(v))} />
      <${TextField} label=${label('currency')} required maxLength=${3} value=${limit.currency} error=${form.error(`${path}.${i}.currency`)}
        onInput=${(/** @type {string} */ v) => set(i, 'currency')(v.toUpperCase())} />
      <${Button} look="quiet" icon="trash" label=${t('common.removeNamed', { name: limit.currency })}
        onClick=${() => form.set(path, limits.filter((_, n) => n !== i))} />
    </div>`)}
    ${limits.length === 0 && error && html`<p class="error">${error}</p>`}
    <div class="actions"><${Button} icon="plus"
      onClick=${() => form.set(path, [...limits, { amount: null, currency: limits.length === 0 ? currency : '' }])}>${t('common.add')}<//></div>
  </fieldset>`;
}
