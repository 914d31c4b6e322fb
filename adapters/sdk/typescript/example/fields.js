// Form fields with their labels, and what is wrong with them.

import { el } from './dom.js';
import { t } from './words.js';

/** A labelled field. `name` is what the server calls it, dots included. */
export function field({ name, label, hint, wide, optional, options, ...attributes }) {
  const id = `field-${name.replace('.', '-')}`;
  const about = [hint && `${id}-hint`, `${id}-wrong`].filter(Boolean).join(' ');
  const common = { id, name, required: !optional, 'aria-describedby': about };
  const control = options
    ? el('select', { ...common, ...attributes }, options.map(([value, words, chosen]) => el('option', { value, selected: chosen }, words)))
    : el('input', { ...common, ...attributes });
  control.addEventListener('input', () => mark(control));
  return el('p', { class: wide ? 'field is-wide' : 'field' },
    el('label', { for: id }, label, optional && el('span', { class: 'optional' }, t('checkout.optional'))),
    control,
    hint && el('span', { class: 'hint', id: `${id}-hint` }, hint),
    el('span', { class: 'wrong', id: `${id}-wrong` }));
}

function mark(control, why = '') {
  if (why) control.setAttribute('aria-invalid', 'true');
  else control.removeAttribute('aria-invalid');
  document.getElementById(`${control.id}-wrong`).textContent = why;
}

/** Marks what a shopper left out or mistyped, and goes to the first of it. Answers whether all is well. */
export function check(form) {
  return point(form, [...form.elements].filter((c) => c.willValidate && !c.validity.valid).map((control) => [control, reason(control)]));
}

function reason({ validity, type }) {
  if (validity.valueMissing) return t('checkout.missing');
  return t(type === 'email' ? 'checkout.no-email' : 'checkout.wrong');
}

/** Marks the fields that an error of the SDK names. Answers whether there were none. */
export function showFields(form, error) {
  const named = (error.fields ?? []).map(({ field: name, message }) => [form.elements.namedItem(name), message]);
  return point(form, named.filter(([control]) => control));
}

function point(form, wrong) {
  for (const control of form.elements) if (control.name) mark(control);
  for (const [control, why] of wrong) mark(control, why);
  wrong[0]?.[0].focus();
  return wrong.length === 0;
}

/** What was filled in, by the names of the fields; {"a.b": 1} becomes {a: {b: 1}}. What is empty is left out. */
export function values(form) {
  const all = {};
  for (const [name, given] of new FormData(form)) {
    const value = given.trim();
    if (!value) continue;
    const path = name.split('.');
    const last = path.pop();
    path.reduce((at, key) => (at[key] ??= {}), all)[last] = value;
  }
  return all;
}
