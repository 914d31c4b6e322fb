// The form of a discount, in the order in which people think of one.
import { html } from '../../vendor/ui.js';
import { useMarkets } from '../../base/markets.js';
import { shop } from '../../base/shop.js';
import { fieldLabel, optionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { CheckField, DateField, NumberField, SelectField, TextField } from '../../parts/field.js';
import { RelationField } from '../../parts/relation.js';
import { Card } from '../../parts/state.js';
import { numberOf } from '../../base/amount.js';
import { currencyOf, someCode } from './told.js';

/** @typedef {import('../../base/form.js').Form} Form */

const types = ['percentage', 'fixed_amount', 'free_shipping', 'tiered'];

/** inputs are those that all parts of the form are made of. @param {Form} form */
function inputs(form) {
  const same = (/** @type {string} */ path) => ({ label: fieldLabel('discounts', path.replace(/\.\d+/, '')), error: form.error(path) });
  const set = (/** @type {string} */ path) => (/** @type {any} */ v) => form.set(path, v);
  return {
    text: (/** @type {string} */ path, props = {}) => html`<${TextField} ...${same(path)} value=${form.get(path) ?? ''} autocomplete="off" onInput=${set(path)}
      ...${props} />`,
    number: (/** @type {string} */ path, props = {}) => html`<${NumberField} ...${same(path)} value=${form.get(path)}
      onInput=${(/** @type {string} */ v) => form.set(path, numberOf(v))} ...${props} />`,
    check: (/** @type {string} */ path, props = {}) => html`<${CheckField} ...${same(path)} value=${form.get(path) ?? false} onInput=${set(path)}
      ...${props} />`,
    date: (/** @type {string} */ path, props = {}) => html`<${DateField} ...${same(path)} moment value=${form.get(path) ?? ''}
      onInput=${(/** @type {string} */ v) => form.set(path, v || null)} ...${props} />`,
    many: (/** @type {string} */ path, /** @type {string} */ to, props = {}) => html`<${RelationField} ...${same(path)} many to=${to}
      value=${form.get(path) ?? []} onInput=${set(path)} ...${props} />`,
  };
}

/** @param {{ form: Form, fresh: boolean }} props */
export function DiscountForm({ form, fresh }) {
  const { text, number, check, date, many } = inputs(form);
  const currency = currencyOf(form.values);
  const type = form.get('type');
  return html`<${Card} title=${t('discounts.what')}>
      <div class="with-button">${text('code', { mono: true, required: true, spellcheck: false, autofocus: fresh })}
        <${Button} icon="rotate-ccw" onClick=${() => form.set('code', someCode())}>${t('discounts.makeCode')}<//></div>
      ${text('title', { help: t('discounts.titleHelp') })}
      <fieldset class="kinds"><legend>${fieldLabel('discounts', 'type')}</legend>
        ${types.map((one) => html`<label key=${one} class=${type === one ? 'on' : ''}><input type="radio" name="type" checked=${type === one}
          onChange=${() => form.set('type', one)} />
          <b>${optionLabel('discounts', 'type', one)}</b><small>${t(`discounts.kind-${one}`)}</small></label>`)}
      </fieldset>
      ${(type === 'percentage' || type === 'fixed_amount') && html`<div class="two">
        ${number('value', { label: t(type === 'percentage' ? 'discounts.percent' : 'discounts.amount'), unit: type === 'percentage' ? '%' : currency,
          required: true })}
        ${type === 'percentage' && number('maxDiscountAmount', { unit: currency, help: t('discounts.maxHelp') })}
      </div>`}
      ${type === 'tiered' && html`<${Tiers} form=${form} currency=${currency} />`}
      <${Currency} form=${form} />
      ${check('isActive')}
    <//>
    <${Card} title=${t('discounts.when')}>
      ${number('minOrderAmount', { unit: currency, help: t('discounts.minHelp') })}
      ${many('applicableProducts', 'products', { help: t('discounts.productsHelp') })}
      ${many('applicableCategories', 'categories')}
      ${many('markets', 'markets', { help: t('discounts.marketsHelp') })}
      <div class="two">${date('startsAt')}${date('endsAt')}</div>
    <//>
    <${Card} title=${t('discounts.often')}>
      <div class="two">${number('usageLimit', { help: t('discounts.limitHelp') })}${number('perCustomerLimit', { help: t('discounts.limitHelp') })}</div>
      ${check('combinable', { help: t('discounts.combinableHelp') })}
    <//>`;
}

/** Currency is asked for where the shop has prices in several. @param {{ form: Form }} props */
function Currency({ form }) {
  const own = shop.value?.currency ?? '';
  const others = [...new Set([own, ...useMarkets().map((m) => m.currency), form.get('currency')])].filter(Boolean);
  if (others.length < 2) return null;
  return html`<${SelectField} label=${fieldLabel('discounts', 'currency')} help=${t('discounts.currencyHelp')} value=${form.get('currency') ?? own}
    error=${form.error('currency')}
    options=${others.map((value) => ({ value, label: value }))} onInput=${(/** @type {string} */ v) => form.set('currency', v)} />`;
}

/** Tiers are the steps of a tiered discount. @param {{ form: Form, currency: string }} props */
function Tiers({ form, currency }) {
  const rows = /** @type {any[]} */ (form.get('tiers') ?? []);
  const options = ['percentage', 'fixed_amount'].map((value) => ({ value, label: optionLabel('discounts', 'tiers.discountType', value) }));
  const label = (/** @type {string} */ name) => fieldLabel('discounts', `tiers.${name}`);
  return html`<fieldset class="stack group"><legend>${fieldLabel('discounts', 'tiers')}</legend>
    ${form.error('tiers') && html`<p class="error">${form.error('tiers')}</p>`}
    ${rows.map((row, i) => html`<div class="tier" key=${row.id ?? i}>
      <${NumberField} label=${label('minAmount')} unit=${currency} value=${row.minAmount} error=${form.error(`tiers.${i}.minAmount`)}
        onInput=${(/** @type {string} */ v) => form.set(`tiers.${i}.minAmount`, numberOf(v))} />
      <${SelectField} label=${label('discountType')} value=${row.discountType ?? 'percentage'} options=${options}
        onInput=${(/** @type {string} */ v) => form.set(`tiers.${i}.discountType`, v)} />
      <${NumberField} label=${label('value')} unit=${row.discountType === 'fixed_amount' ? currency : '%'} value=${row.value}
        error=${form.error(`tiers.${i}.value`)}
        onInput=${(/** @type {string} */ v) => form.set(`tiers.${i}.value`, numberOf(v))} />
      <${Button} look="quiet" icon="trash" label=${t('discounts.removeTier', { n: i + 1 })}
        onClick=${() => form.set('tiers', rows.filter((_, n) => n !== i))} />
    </div>`)}
    <div><${Button} icon="plus" onClick=${() => form.set('tiers', [...rows, { discountType: 'percentage' }])}>${t('discounts.addTier')}<//></div>
  </fieldset>`;
}
