// By what the goods that were found can be narrowed, and by what they are.

import { el } from './dom.js';
import { isFiltered, LISTS, unfiltered } from './search-query.js';
import { currencyName, money, t } from './words.js';

/** How many options show which nobody has chosen from: those that the most goods have. */
const OPTIONS = 6;

/** The names of all values that were seen, by filter and value: one that nothing has any more is still chosen, and called by its name. */
const names = new Map();

const nameOf = (list, value) => names.get(`${list} ${value}`) ?? value.replace(/^.*:/, '');

/** The controls. `change` takes what is asked then; `open` tells whether a group of that id is unfolded. */
export function facets(shop, group, asked, found, { change, open }) {
  const choice = (list, label, values, id = list) => values.length > 0 && fold(id, label, open(id) || values.some((v) => asked[list].includes(v.id)),
    values.map((value) => box(`${list}-${encodeURIComponent(value.id)}`, value.name, value.count, asked[list].includes(value.id), (on) =>
      change({ ...asked, [list]: on ? [...asked[list], value.id] : asked[list].filter((one) => one !== value.id) }))));
  return [
    !group && choice('categories', t('search.categories'), seen('categories', found.categories, asked)),
    choice('brands', t('search.brands'), seen('brands', found.brands, asked)),
    prices(shop, asked, found.priceRange, change, open('prices')),
    fold('stock', t('search.availability'), open('stock') || asked.inStock,
      [box('stock-in', t('search.in-stock'), found.inStock, asked.inStock, (inStock) => change({ ...asked, inStock }))]),
    ...optionsOf(found.options, asked).map(({ name, label, values }) => choice('options', label, values, `option-${encodeURIComponent(name)}`)),
  ].filter(Boolean);
}

/** The values of a facet, and those that are chosen although nothing has them. */
function seen(list, values, asked) {
  for (const { id, name } of values) names.set(`${list} ${id}`, name);
  const gone = asked[list].filter((id) => !values.some((value) => value.id === id));
  return [...values, ...gone.map((id) => ({ id, name: nameOf(list, id), count: 0 }))];
}

/** The options to choose from, with values as the filter takes them. */
function optionsOf(options, asked) {
  const all = options.map(({ name, label, values }) => (
    { name, label, values: values.map((v) => ({ id: `${name}:${v.value}`, name: v.label, count: v.count })) }));
  for (const { values } of all) seen('options', values, { options: [] });
  return all.filter(({ values }, i) => i < OPTIONS || values.some((v) => asked.options.includes(v.id)));
}

function fold(id, label, isOpen, content) {
  return el('details', { class: 'facet', id: `facet-${id}`, open: isOpen },
    el('summary', { id: `facet-${id}-label` }, label),
    el('div', { class: 'facet-values', role: 'group', 'aria-labelledby': `facet-${id}-label` }, content));
}

function box(id, name, count, checked, pick) {
  const input = el('input', { type: 'checkbox', id: `facet-${id}`, checked });
  input.addEventListener('change', () => pick(input.checked));
  return el('span', { class: 'facet-value' }, input, el('label', { for: input.id },
    el('span', { class: 'facet-name' }, name), el('span', { class: 'unseen' }, t('search.count', { count })),
    el('span', { class: 'count', 'aria-hidden': 'true' }, count)));
}

function prices({ market }, asked, range, change, isOpen) {
  const currency = range?.currency ?? market?.currency;
  if (!currency) return null;
  const bound = (name, label, edge) => {
    const input = el('input', {
      id: `facet-${name}`, type: 'number', inputmode: 'decimal', min: 0, step: 'any', value: asked[name], placeholder: edge, 'aria-describedby': 'facet-wrong',
    });
    input.addEventListener('change', () => change({ ...asked, [name]: input.value }));
    return el('span', { class: 'facet-bound' }, el('label', { for: input.id }, label), input);
  };
  return fold('prices', t('search.prices', { currency: currencyName(currency) }), isOpen || Boolean(asked.minPrice || asked.maxPrice), [
    bound('minPrice', t('search.from'), range?.min), bound('maxPrice', t('search.to'), range?.max),
    el('span', { class: 'wrong', id: 'facet-wrong', role: 'alert' }),
  ]);
}

/** What is chosen, each with a button that takes it back, and one for all. */
export function chips(asked, currency, change) {
  if (!isFiltered(asked)) return [];
  const chip = (id, name, next) => el('li', {}, el('button', {
    type: 'button', class: 'chip', id: `chip-${id}`, 'aria-label': t('search.remove', { name }), onclick: () => change(next),
  }, name));
  return [
    ...LISTS.flatMap((list) => asked[list].map((value) =>
      chip(`${list}-${encodeURIComponent(value)}`, nameOf(list, value), { ...asked, [list]: asked[list].filter((one) => one !== value) }))),
    asked.minPrice && chip('min', t('search.least', { price: amount(asked.minPrice, currency) }), { ...asked, minPrice: '' }),
    asked.maxPrice && chip('max', t('search.most', { price: amount(asked.maxPrice, currency) }), { ...asked, maxPrice: '' }),
    asked.inStock && chip('stock', t('search.in-stock'), { ...asked, inStock: false }),
    el('li', {}, el('button', { type: 'button', class: 'link', id: 'chip-all', onclick: () => change(unfiltered(asked)) }, t('search.clear'))),
  ].filter(Boolean);
}

/** An amount of an address, where anything may stand. */
const amount = (text, currency) => (currency && Number.isFinite(Number(text)) ? money(Number(text), currency) : text);
