// Where a product stands in the shop, and how it is sent.
import { html } from '../../vendor/ui.js';
import { can } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { NumberField } from '../../parts/field.js';
import { RelationField } from '../../parts/relation.js';
import { Card } from '../../parts/state.js';
import { field } from './basics.js';

/** What a product refers to: the field, its collection, and whether there can be many. @type {[string, string, boolean][]} */
const relations = [
  ['category', 'categories', false], ['categories', 'categories', true], ['brand', 'brands', false], ['tags', 'tags', true],
  ['shippingPolicy', 'shipping-policies', false], ['videos', 'videos', true],
];

/** @param {{ form: import('../../base/form.js').Form }} props */
export function Organize({ form }) {
  return html`<${Card} title=${t('products.organize')}>
    ${relations.filter(([, to]) => can(`${to}:read`)).map(
      ([name, to, many]) => html`<${RelationField} key=${name} ...${field(form, name)} help="" to=${to} many=${many} adds
        value=${form.values[name] ?? (many ? [] : null)} />`,
    )}
    <${NumberField} ...${field(form, 'lowStockThreshold')} />
  <//>`;
}
