// Who comes to an event: one name for each ticket.

import { el } from './dom.js';
import { t } from './words.js';

let made = 0;

/** Fields for the names of the people who come; none while nobody is asked for. */
export function admissions(names = []) {
  const prefix = `guest-${++made}`;
  const rows = el('div', { class: 'form' });
  const element = el('fieldset', { class: 'people', hidden: true }, el('legend', {}, t('product.guests')), rows);
  const inputs = () => [...rows.querySelectorAll('input')];

  function row(i) {
    const id = `${prefix}-${i}`;
    const input = el('input', { id, required: true, maxlength: 200, autocomplete: i === 0 ? 'name' : 'off', value: names[i] });
    input.addEventListener('input', () => input.removeAttribute('aria-invalid'));
    return el('p', { class: 'field' }, el('label', { for: id }, t('product.guest', { number: i + 1 })), input);
  }

  return {
    element,
    /** Asks for so many names, keeping those that were given. */
    ask(number) {
      element.hidden = number === 0;
      while (rows.children.length > number) rows.lastChild.remove();
      while (rows.children.length < number) rows.append(row(rows.children.length));
    },
    /** Reports whether all names are there, and goes to the first that is not. */
    check() {
      const missing = inputs().filter((input) => !input.value.trim());
      for (const input of missing) input.setAttribute('aria-invalid', 'true');
      missing[0]?.focus();
      return missing.length === 0;
    },
    /** {admissions} as the cart takes them, or nothing. */
    value() {
      const guests = inputs().map((input) => ({ name: input.value.trim() }));
      return guests.length ? { admissions: guests } : {};
    },
  };
}
