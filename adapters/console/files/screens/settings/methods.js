import { html } from '../../vendor/ui.js';
import { fieldLabel, helpOf, optionLabel } from '../../base/words.js';
import { CheckField } from '../../parts/field.js';

/** Methods are the ways to pay that buyers are shown. @param {{ form: import('../../base/form.js').Form, methods: string[] }} props */
export function Methods({ form, methods }) {
  const on = /** @type {string[]} */ (form.values.enabledMethods ?? []);
  const set = (/** @type {string} */ name, /** @type {boolean} */ yes) =>
    form.set('enabledMethods', methods.filter((m) => (m === name ? yes : on.includes(m))));
  return html`<fieldset class="group"><legend>${fieldLabel('provider-connections', 'enabledMethods')}</legend>
    <p class="help">${helpOf('provider-connections', 'enabledMethods')}</p>
    <div class="methods">${methods.map((m) => html`<${CheckField} key=${m} label=${optionLabel('provider-connections', 'enabledMethods', m)}
      value=${on.includes(m)}
      onInput=${(/** @type {boolean} */ v) => set(m, v)} />`)}</div>
    ${form.error('enabledMethods') && html`<p class="error">${form.error('enabledMethods')}</p>`}
  </fieldset>`;
}
