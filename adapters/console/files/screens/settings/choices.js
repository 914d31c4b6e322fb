import { html } from '../../vendor/ui.js';
import { fieldLabel, helpOf, optionLabel } from '../../base/words.js';
import { CheckField } from '../../parts/field.js';

/**
 * Choices are the options of a field that takes several, each to be checked.
 * @param {{ form: import('../../base/form.js').Form, slug: string, name: string, options: string[] }} props
 */
export function Choices({ form, slug, name, options }) {
  const on = /** @type {string[]} */ (form.values[name] ?? []);
  const set = (/** @type {string} */ option, /** @type {boolean} */ yes) =>
    form.set(name, options.filter((o) => (o === option ? yes : on.includes(o))));
  return html`<fieldset class="group"><legend>${fieldLabel(slug, name)}</legend>
    <p class="help">${helpOf(slug, name)}</p>
    <div class="methods">${options.map((o) => html`<${CheckField} key=${o} label=${optionLabel(slug, name, o)}
      value=${on.includes(o)} wrong=${Boolean(form.error(name))}
      onInput=${(/** @type {boolean} */ v) => set(o, v)} />`)}</div>
    ${form.error(name) && html`<p class="error">${form.error(name)}</p>`}
  </fieldset>`;
}
