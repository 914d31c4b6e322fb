// What a product is, whether it is shown, and what it costs.
import { html } from '../../vendor/ui.js';
import { shop } from '../../base/shop.js';
import { fieldLabel, helpOf, optionLabel, t } from '../../base/words.js';
import { DateField, NumberField, SelectField, TextField } from '../../parts/field.js';
import { Card } from '../../parts/state.js';
import { statuses } from './bulk.js';

/**
 * field is what an input of the form needs.
 * @param {import('../../base/form.js').Form} form
 * @param {string} name
 */
export function field(form, name) {
  return {
    label: fieldLabel('products', name), help: helpOf('products', name) ?? '', ...form.input(name),
  };
}

/** classes are the tax classes of a product. */
const classes = () => ['standard', 'reduced', 'zero', 'exempt'].map((value) => ({ value, label: optionLabel('products', 'taxClass', value) }));

/** @param {{ form: import('../../base/form.js').Form, fresh: boolean }} props */
export function Basics({ form, fresh }) {
  const waits = form.values.status === 'draft';
  return html`<${Card}>
    <${TextField} ...${field(form, 'name')} help="" maxLength=${500} required autofocus=${fresh} />
    <${TextField} ...${field(form, 'description')} help=${t('products.descriptionHelp')} rows=${6} />
    <div class="fields">
      <${SelectField} ...${field(form, 'status')} options=${statuses()} />
      ${waits && html`<${DateField} ...${field(form, 'publishAt')} moment onInput=${(/** @type {string} */ v) => form.set('publishAt', v || null)} />`}
    </div>
    <${TextField} ...${field(form, 'slug')} help=${t('products.slugHelp')} maxLength=${255} spellcheck=${false} mono />
  <//>`;
}

/** Pricing is what counts for variants that say nothing else. @param {{ form: import('../../base/form.js').Form }} props */
export function Pricing({ form }) {
  const unit = shop.value?.currency ?? '';
  return html`<${Card} title=${t('products.pricing')}>
    <${NumberField} ...${field(form, 'price')} help=${t('products.priceHelp')} unit=${unit} required />
    <${NumberField} ...${field(form, 'discount')} help=${t('products.discountHelp')} unit="%" />
    <${NumberField} ...${field(form, 'costPrice')} unit=${unit} />
    <${SelectField} ...${field(form, 'taxClass')} value=${form.values.taxClass ?? 'standard'} options=${classes()} />
  <//>`;
}
