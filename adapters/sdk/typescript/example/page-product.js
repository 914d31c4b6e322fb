// One product: what it is, what it costs, and what there is to choose.

import { busy, complain, complaints, el, isBusy, say } from './dom.js';
import { isOwn, picture } from './picture.js';
import { price } from './price.js';
import { sentence, t } from './words.js';
import { nothing } from './page-nothing.js';
import { stepper } from './stepper.js';
import { admissions } from './admissions.js';

export async function product(shop, { slug }) {
  const named = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(slug) ? { id: slug } : { slug }; // a cart knows its products by id
  const answer = await shop.client.commerce.product.detail({ ...named, ...(shop.market && { market: shop.market.code }) });
  if (!answer.found) return nothing(shop, answer.reason === 'unpublished' ? t('product.unpublished') : undefined);
  const found = answer.product;
  return {
    title: found.seo?.title || found.name,
    seo: { description: found.seo?.description || found.description, noIndex: found.seo?.noIndex },
    content: [
      el('article', { class: 'page product' },
        el('div', { class: 'product-pictures' }, imagesOf(shop, found).map((media) => picture(shop, found.slug, media, t('product.picture', { name: found.name })))),
        el('div', { class: 'product-words' },
          place(shop, found), el('h1', {}, found.name),
          offer(shop, found),
          el('p', { class: 'description' }, found.description),
          maker(found))),
    ],
  };
}

/** The pictures that this page can show; one drawing where there are none. */
function imagesOf(shop, { images }) {
  const shown = images.filter((media) => isOwn(shop, media));
  return shown.length ? shown : [null];
}

function place(shop, found) {
  const group = found.category;
  return group && el('nav', { class: 'place', 'aria-label': t('product.breadcrumb') },
    el('a', { href: '#/' }, shop.name), el('span', { 'aria-hidden': 'true' }, ' / '), el('a', { href: `#/category/${group.slug}` }, group.name));
}

function maker({ brand }) {
  return brand && el('p', { class: 'maker' }, el('strong', {}, brand.name), brand.description && ` ${brand.description}`);
}

/** Price, choices and the button, which belong together: what is chosen decides the rest. */
function offer(shop, found) {
  const choice = choices(found.variants);
  const cost = el('p', { class: 'product-price', 'aria-live': 'polite' });
  const note = el('p', { class: 'product-note' });
  const quantity = stepper({ id: 'quantity', label: t('product.quantity'), value: 1, min: 1 });
  const people = admissions();
  const box = complaints();
  const button = el('button', { class: 'button wide' });

  function draw() {
    const variant = choice.variant();
    const sold = variant?.resolvedPrice;
    cost.replaceChildren(...(sold ? [price(sold.amount, sold.compareAtPrice, sold.currency)] : [t('product.unsold')]));
    note.textContent = variant ? delivery(variant) : '';
    const can = Boolean(sold && variant.available);
    button.textContent = can ? t('product.add') : variant?.available === false ? t('goods.gone') : t('product.unsold');
    button.toggleAttribute('disabled', !can);
    people.ask(variant?.kind === 'event' ? quantity.value : 0);
    complain(box);
  }

  choice.element.addEventListener('change', draw);
  quantity.element.addEventListener('change', draw);
  const form = el('form', { class: 'offer', novalidate: true }, choice.element, people.element, el('div', { class: 'offer-row' }, quantity.element, button), box);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!isBusy(button) && people.check()) busy(button, () => add(shop, found, choice.variant(), { quantity: quantity.value, ...people.value() }, box));
  });
  draw();
  return [cost, form, note];
}

async function add(shop, found, variant, more, box) {
  complain(box);
  try {
    await shop.basket.add({ variantId: variant.id, ...more });
    const what = [found.name, ...variant.selectedOptions.map((o) => o.value)].join(', ');
    say(t('product.added', { what }), ' ', el('a', { href: '#/cart' }, t('product.see-cart', { count: shop.basket.size })));
  } catch (error) {
    complain(box, sentence(error));
  }
}

function delivery(variant) {
  if (variant.requiresShipping) return t('product.parcel');
  const unshipped = { digital: t('product.digital'), event: t('product.event'), service: t('product.service') };
  return unshipped[variant.kind] ?? t('product.unshipped');
}

/** A group of buttons for each option; the variant is the one that has what is chosen of each. */
function choices(variants) {
  const options = new Map();
  for (const { selectedOptions } of variants) {
    for (const { name, value } of selectedOptions) options.set(name, (options.get(name) ?? new Set()).add(value));
  }
  const first = variants.find((v) => v.available) ?? variants[0];
  const groups = [...options].map(([name, values], i) => group(name, [...values], i, first, variants));
  const element = el('div', { class: 'options' }, groups);
  const chosen = () => new Map([...element.querySelectorAll('input:checked')].map((input) => [input.dataset.option, input.value]));
  return {
    element,
    /** The variant that is chosen; undefined when the shop has none like that. */
    variant() {
      const wanted = chosen();
      return variants.find((v) => v.selectedOptions.every(({ name, value }) => wanted.get(name) === value));
    },
  };
}

function group(name, values, i, first, variants) {
  const preset = first.selectedOptions.find((o) => o.name === name)?.value;
  const gone = (value) => variants.filter((v) => v.selectedOptions.some((o) => o.name === name && o.value === value)).every((v) => !v.available);
  return el('fieldset', { class: 'option' }, el('legend', {}, name), el('div', { class: 'option-values' }, values.map((value, j) => {
    const id = `option-${i}-${j}`;
    return el('span', { class: 'option-value' },
      el('input', { type: 'radio', name: `option-${i}`, id, value, 'data-option': name, checked: value === preset }),
      el('label', { for: id, class: gone(value) ? 'is-gone' : '' }, value, gone(value) && el('span', { class: 'unseen' }, t('product.gone'))));
  })));
}
