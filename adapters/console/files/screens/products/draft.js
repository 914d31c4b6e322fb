// A product as the form has it: options and values have keys of their own, so that a name can change while variants still refer to it.

import { amountIn, numberOf } from '../../base/amount.js';

/** @typedef {import('../../vendor/sdk.js').OperatorAnswer<'GET /api/products/{id}/complete'>['product']} Whole */
/** @typedef {{ key: string, id?: string, label: string, slug?: string | null }} OptionValue */
/** @typedef {{ key: string, id?: string, revision?: number | null, name: string, values: OptionValue[] }} Option */
/** @typedef {Record<string, any> & { id?: string, picks: Record<string, string>, prices: any[] }} Variant picks: keys of values by keys of options */
/** @typedef {Record<string, any> & { id?: string, revision?: number | null, options: Option[], variants: Variant[] }} Draft */

/** How many variants a product has at most. */
export const maxVariants = 1000;

let count = 0;

/** newKey is a key that no other has, after a reload neither. */
export const newKey = () => `${Date.now().toString(36)}-${++count}`;

/** What a new product begins with. @type {Draft} */
export const blank = {
  name: '', status: 'draft', price: '', description: '', images: [], categories: [], tags: [], options: [],
  variants: [{ picks: {}, prices: [], images: [], trackInventory: true }],
};

/**
 * draftOf is a product as the form has it.
 * @param {Whole} product
 * @returns {Draft}
 */
export function draftOf(product) {
  const options = (product.options ?? []).map((o) => {
    const values = (o.values ?? []).map((v) => ({ id: v.id ?? '', label: v.label, slug: v.slug, key: v.id ?? v.label }));
    return { ...o, key: o.id, values };
  });
  /** @param {{ option: string | null, value: string | null }[] | null} chosen */
  const picks = (chosen) => {
    const pairs = (chosen ?? []).flatMap(({ option, value }) => {
      const of = options.find((o) => o.name === option);
      const picked = of?.values.find((v) => v.label === value);
      return of && picked ? [[of.key, picked.key]] : [];
    });
    return Object.fromEntries(pairs);
  };
  const variants = (product.variants ?? []).map(({ optionValues, ...v }) => ({ ...v, prices: v.prices ?? [], picks: picks(optionValues) }));
  return { ...product, options, variants };
}

/**
 * bodyOf is what is sent of the form's changes.
 * @param {Record<string, any>} changes
 * @param {Option[]} options of the whole form
 * @param {Draft} before what the form began with
 */
export function bodyOf(changes, options, before) {
  const body = { ...changes };
  if (body.price != null) body.price = amountIn(body.price);
  // What was emptied is no value; only the price has to be one.
  for (const name of ['costPrice', 'discount', 'lowStockThreshold']) if (typeof body[name] === 'string') body[name] = numberOf(body[name]);
  if (body.options) body.options = options.map(({ key, values, ...o }) => ({ ...o, values: values.map(({ key, ...v }) => v) }));
  if (body.variants) body.variants = body.variants.map((/** @type {Variant} */ v) => variantOf(v, options, before));
  return body;
}

/** Members of a variant that are numbers. */
const numbers = ['price', 'compareAtPrice', 'costPrice', 'lowStockThreshold', 'weight', 'stock'];

/**
 * @param {Variant} variant
 * @param {Option[]} options
 * @param {Draft} before
 */
function variantOf({ picks, ...variant }, options, before) {
  /** @type {Record<string, any>} */
  const out = { ...variant };
  for (const name of numbers) if (out[name] === '') out[name] = null;
    else if (out[name] != null) out[name] = amountIn(out[name]);
  // What is on hand changes by movements, which say why; the form sets it for what is new.
  if (out.id) delete out.stock;
  // A title that was made from the values is made anew from what they are now.
  const was = before.variants.find((v) => v.id !== undefined && v.id === out.id);
  if (was && was.title === valuesOf(was, before.options)) out.title = null;
  else delete out.title;
  out.optionValues = options.flatMap((o) => {
    const value = o.values.find((v) => v.key === picks[o.key]);
    return value ? [{ option: o.name, value: value.label }] : [];
  });
  out.prices = variant.prices.map((p) => ({ ...p, amount: amountIn(p.amount), compareAtAmount: amountIn(p.compareAtAmount || null) }));
  return out;
}

/**
 * titleOf is how a variant is called: by its values, as long as it has some.
 * @param {Variant | undefined} variant
 * @param {Option[]} options
 * @returns {string}
 */
export function titleOf(variant, options) {
  if (!variant) return '';
  return valuesOf(variant, options) || variant.title || '';
}

/** valuesOf is the labels of a variant's values. @param {Variant} variant @param {Option[]} options */
const valuesOf = (variant, options) => options.map((o) => o.values.find((v) => v.key === variant.picks[o.key])?.label).filter(Boolean).join(' / ');

/** idOfPicks tells combinations apart. @param {Option[]} options @param {Record<string, string>} picks */
const idOfPicks = (options, picks) => options.map((o) => picks[o.key] ?? '').join(' ');

/**
 * combinations is all that can be chosen.
 * @param {Option[]} options
 * @returns {Record<string, string>[]}
 */
function combinations(options) {
  /** @type {Record<string, string>[]} */
  let all = [{}];
  for (const o of options) if (o.values.length > 0) all = all.flatMap((picks) => o.values.map((v) => ({ ...picks, [o.key]: v.key })));
  return all;
}

/**
 * missing is the combinations that no variant has.
 * @param {Option[]} options
 * @param {Variant[]} variants
 */
export function missing(options, variants) {
  const there = new Set(variants.map((v) => idOfPicks(options, v.picks)));
  return combinations(options).filter((picks) => !there.has(idOfPicks(options, picks)));
}

/**
 * withCombinations is the variants with those for more combinations, in the order of the options. What they have in common with the
 * first one they begin with.
 * @param {Option[]} options
 * @param {Variant[]} variants
 * @param {Record<string, string>[]} more
 */
export function withCombinations(options, variants, more) {
  const { kind = null, trackInventory = true, requiresShipping = null, weight = null } = variants[0] ?? {};
  const made = more.map((picks) => ({ picks, prices: [], images: [], kind, trackInventory, requiresShipping, weight }));
  const rank = (/** @type {Variant} */ v) => options.map((o) => String(o.values.findIndex((x) => x.key === v.picks[o.key]) + 1).padStart(4, '0')).join();
  return [...variants, ...made].sort((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0));
}

/**
 * withValue is options and variants with one more value. The first value of an option is that of all variants; with each further one
 * come variants for all else that can be chosen with it.
 * @param {{ options: Option[], variants: Variant[] }} draft
 * @param {string} optionKey
 * @param {string} label
 * @returns {{ options: Option[], variants: Variant[] }}
 */
export function withValue({ options, variants }, optionKey, label) {
  const value = { key: newKey(), label };
  const next = options.map((o) => (o.key === optionKey ? { ...o, values: [...o.values, value] } : o));
  const picked = (/** @type {Record<string, string>} */ picks) => ({ ...picks, [optionKey]: value.key });
  if (variants.every((v) => !v.picks[optionKey])) return { options: next, variants: variants.map((v) => ({ ...v, picks: picked(v.picks) })) };
  const others = new Map(variants.map((v) => [idOfPicks(next, { ...v.picks, [optionKey]: '' }), v.picks]));
  return { options: next, variants: withCombinations(next, variants, [...others.values()].map(picked)) };
}

/**
 * withoutValue takes a value away, and the variants that have it; the last one leaves its variants without any.
 * @param {{ options: Option[], variants: Variant[] }} draft
 * @param {string} optionKey
 * @param {string} valueKey
 */
export function withoutValue({ options, variants }, optionKey, valueKey) {
  const left = options.map((o) => (o.key === optionKey ? { ...o, values: o.values.filter((v) => v.key !== valueKey) } : o));
  if (left.find((o) => o.key === optionKey)?.values.length === 0) return { options: left, variants: without(variants, left, optionKey) };
  return { options: left, variants: variants.filter((v) => v.picks[optionKey] !== valueKey) };
}

/**
 * withoutOption takes an option away; of variants that it told apart, the first stays.
 * @param {{ options: Option[], variants: Variant[] }} draft
 * @param {string} optionKey
 */
export function withoutOption({ options, variants }, optionKey) {
  const left = options.filter((o) => o.key !== optionKey);
  return { options: left, variants: without(variants, left, optionKey) };
}

/**
 * @param {Variant[]} variants
 * @param {Option[]} options
 * @param {string} optionKey
 */
function without(variants, options, optionKey) {
  const seen = new Set();
  return variants
    .map((v) => ({ ...v, picks: Object.fromEntries(Object.entries(v.picks).filter(([key]) => key !== optionKey)) }))
    .filter((v) => {
      const id = idOfPicks(options, v.picks);
      return !seen.has(id) && seen.add(id);
    });
}
