// Who buys, and where it goes: the address is asked for when there is something to send, and only then.

import { busy, complain, complaints, el, isBusy } from './dom.js';
import { addressForm } from './address.js';
import { go } from './router.js';
import { language } from './language.js';
import { check, field, showFields, values } from './fields.js';
import { fixedLines } from './lines.js';
import { picturesOf } from './picture.js';
import { cartTotals } from './price.js';
import { recall, remember } from './memory.js';
import { country, sentence, t } from './words.js';
import { DETAILS, steps } from './steps.js';

export async function checkout(shop) {
  await shop.basket.load();
  const it = shop.basket.cart;
  if (!it?.lines.length) {
    return { title: t('checkout.title'), content: [el('div', { class: 'page narrow' },
      el('h1', {}, t('checkout.title')), el('p', { class: 'lead' }, t('checkout.empty')),
      el('p', {}, el('a', { class: 'button', href: '#/' }, t('shop.look'))))] };
  }
  const pictures = await picturesOf(shop, it.lines);
  return {
    title: t('checkout.title'),
    content: [el('div', { class: 'page' },
      steps(DETAILS),
      el('h1', {}, t(it.requiresShipping ? 'checkout.where' : 'checkout.contact')),
      el('div', { class: 'split' }, await details(shop, it), el('section', { class: 'summary', 'aria-label': t('checkout.order') },
        fixedLines(shop, pictures, it.lines, it.currency), cartTotals(it))))],
  };
}

async function details(shop, it) {
  const before = recall('contact') ?? {};
  const box = complaints();
  const button = el('button', { class: 'button wide' }, t('checkout.continue'));
  const form = el('form', { class: 'form', novalidate: true },
    field({ name: 'email', label: t('checkout.email'), type: 'email', autocomplete: 'email', value: before.email, wide: true, hint: t('checkout.email-hint') }),
    it.requiresShipping && await address(shop, ofMarket(shop, before.shippingAddress ?? {})),
    box, el('p', { class: 'is-wide' }, button));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    complain(box);
    if (check(form) && !isBusy(button)) busy(button, () => send(shop, it, form, box));
  });
  return form;
}

async function send(shop, it, form, box) {
  const given = values(form);
  try {
    // The revision that the shopper saw: a cart that changed in another window is not checked out behind their back.
    const { checkout: made } = await shop.client.commerce.checkouts.create({ cartId: it.id, expectedRevision: it.revision, ...given });
    remember('contact', { ...recall('contact'), ...given });
    remember('checkout', made.id);
    go('/review');
  } catch (error) {
    if (error.reason === 'cart_revision_conflict') await shop.basket.load();
    if (showFields(form, error)) complain(box, sentence(error), ...wayOut(error));
  }
}

function wayOut(error) {
  if (error.reason === 'payment_slot_held' && recall('checkout')) return [el('a', { href: '#/review' }, t('checkout.look'))];
  return ['cart_revision_conflict', 'out_of_stock', 'variant_unavailable'].includes(error.reason) ? [el('a', { href: '#/cart' }, t('checkout.to-cart'))] : [];
}

const NAME = 'shippingAddress';
/** The parts that are called the same in each country. Others are called as the server does, if it speaks the page's language. */
const LABELS = {
  recipientName: t('address.recipientName'), phone: t('address.phone'), address1: t('address.address1'), address2: t('address.address2'),
  deliveryNote: t('address.deliveryNote'),
};
const SPOKEN = ['en', 'ko'];

/** What a part is called in a country. */
function labelOf(name, label, code) {
  if (LABELS[name] || SPOKEN.includes(language)) return LABELS[name] ?? label;
  return name === 'province' && code === 'JP' ? t('address.prefecture') : t(`address.${name}`);
}

const AUTOCOMPLETE = {
  recipientName: 'name', company: 'organization', phone: 'tel', postalCode: 'postal-code', province: 'address-level1', city: 'address-level2',
  district: 'address-level3', address1: 'address-line1', address2: 'address-line2',
};

/** What is known of an address, in this market: of a country that it does not sell to, only who gets it. */
function ofMarket(shop, { recipientName, phone, ...place }) {
  const sold = shop.market?.countries ?? [];
  return { recipientName, phone, ...(!place.country || !sold.length || sold.includes(place.country)) && place };
}

/** The form of the country to which the parcel goes: another country has another one. */
async function address(shop, before) {
  const sold = shop.market?.countries ?? [];
  const box = el('fieldset', { class: 'form is-wide' });
  const draw = async (known) => {
    const form = await addressForm(shop, known.country);
    const countries = sold.length ? sold : form.countries;
    box.replaceChildren(el('legend', {}, t('checkout.delivery')),
      ...countries.length > 1 || sold.length ? [countryField(countries, form.country, (code) => draw({ ...values(box.form)[NAME], country: code }))] : [],
      ...form.fields.map((f) => part(f, known[f.name], form.country)));
  };
  await draw({ ...before, country: before.country ?? sold[0] });
  return box;
}

function countryField(countries, chosen, change) {
  const options = countries.map((code) => [code, country(code), code === chosen]);
  const it = field({ name: `${NAME}.country`, label: t('checkout.country'), autocomplete: 'shipping country', options, wide: true });
  const select = it.querySelector('select');
  select.addEventListener('change', async () => {
    await change(select.value);
    document.getElementById(select.id)?.focus();
  });
  return it;
}

function part({ name, label, required, pattern, example, options }, value, code) {
  const digits = pattern === '\\d{5}';
  return field({
    name: `${NAME}.${name}`, label: labelOf(name, label, code), value, optional: !required && name !== 'phone', wide: name === 'address1' || name === 'deliveryNote',
    ...AUTOCOMPLETE[name] && { autocomplete: `shipping ${AUTOCOMPLETE[name]}` },
    ...name === 'phone' && { type: 'tel', hint: t('checkout.phone-hint') },
    ...pattern && { pattern, maxlength: 20, hint: digits ? t('checkout.five-digits') : t('checkout.example', { example }) },
    ...digits && { inputmode: 'numeric' },
    ...options.length && { options: [['', t('checkout.choose'), !value], ...options.map((o) => [o.value, o.label, o.value === value])] },
  });
}
