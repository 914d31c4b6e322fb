// What others changed while the form was open, and how both go together.
import { html } from '../../vendor/ui.js';
import { money, time } from '../../base/format.js';
import { shop } from '../../base/shop.js';
import { same } from '../../base/tree.js';
import { optionLabel, t } from '../../base/words.js';
import { said } from '../../parts/form.js';
import { titleOf } from './draft.js';

/** @typedef {import('./draft.js').Draft} Draft */
/** @typedef {import('./draft.js').Variant} Variant */
/** @typedef {import('../../base/form.js').Form} Form */

/**
 * together is a form whose variants are compared and brought together one by one.
 * @param {Form} form
 * @param {Draft} now
 * @returns {Form}
 */
export function together(form, now) {
  const base = /** @type {Draft} */ (form.base);
  const overtaken = form.overtaken.filter(({ name, was, theirs }) => name !== 'variants' || !same(was.map(counted), theirs.map(counted)));
  const rebase = () => {
    if (form.changes.variants) form.set('variants', merged(base.variants, form.values.variants, now.variants));
    form.rebase();
  };
  return { ...form, overtaken, rebase };
}

/** counted is a variant without its stock, which goes its own way. @param {Variant} variant */
const counted = ({ stock, revision, ...variant }) => variant;

/**
 * teller says what is in a field, for people.
 * @param {Draft} base
 * @returns {(name: string, value: any) => any}
 */
export function teller(base) {
  return (name, value) => {
    if (name === 'variants') return variantsTold(value, base);
    if (value === null || value === undefined || value === '') return '—';
    if (name === 'price' || name === 'costPrice') return money(value, shop.value?.currency);
    if (name === 'publishAt') return time(value);
    if (name === 'status') return optionLabel('products', 'status', value);
    if (name === 'options') return value.map((/** @type {any} */ o) => `${o.name}: ${o.values.map((/** @type {any} */ v) => v.label).join(', ')}`).join('; ');
    if (typeof value === 'boolean') return t(value ? 'common.yes' : 'common.no');
    return Array.isArray(value) ? t('common.items', { n: value.length }) : said(name, value);
  };
}

/** variantsTold names the variants that are not as they were. @param {Variant[]} variants @param {Draft} base */
function variantsTold(variants, base) {
  const other = variants.filter((v) => {
    const was = base.variants.find((b) => b.id === v.id);
    return !was || !same(counted(v), counted(was));
  });
  const named = other.slice(0, 5).map((v) => titleOf(v, base.options) || v.sku || base.name);
  return html`${t('common.items', { n: variants.length })} <small>${named.join(', ')}${other.length > 5 ? ' …' : ''}</small>`;
}

/**
 * merged is the variants with what was changed here and there: of a member that both changed, ours stays.
 * @param {Variant[]} base
 * @param {Variant[]} ours
 * @param {Variant[]} theirs
 */
function merged(base, ours, theirs) {
  const both = theirs.flatMap((their) => {
    const was = base.find((v) => v.id === their.id);
    const our = ours.find((v) => v.id === their.id);
    if (!was) return [their];
    if (!our) return [];
    const mine = Object.entries(our).filter(([name, value]) => name !== 'revision' && name !== 'stock' && !same(value, was[name]));
    return [{ ...their, ...Object.fromEntries(mine) }];
  });
  return [...both, ...ours.filter((v) => !v.id)];
}
