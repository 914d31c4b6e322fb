// A number with a button to either side. The number can be typed, too.

import { el } from './dom.js';
import { t } from './words.js';

/** A field for a whole number; its element tells of changes by the event "change". */
export function stepper({ id, label, value, min = 0, max = 9999 }) {
  const clamp = (n) => Math.min(max, Math.max(min, Number.isFinite(n) ? Math.trunc(n) : min));
  const input = el('input', { id, type: 'number', inputmode: 'numeric', value, min, max, step: 1 });
  input.addEventListener('change', () => { input.value = clamp(Number(input.value)); });

  function step(by) {
    const next = clamp(Number(input.value) + by);
    if (next === Number(input.value)) return;
    input.value = next;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }

  const button = (by, sign, name, words) => el('button', {
    type: 'button', class: 'step', id: `${id}-${name}`, 'aria-label': words, onclick: () => step(by),
  }, sign);
  return {
    element: el('div', { class: 'stepper' },
      el('label', { class: 'unseen', for: id }, label), button(-1, '−', 'fewer', t('product.fewer', { what: label })), input, button(1, '+', 'more', t('product.more', { what: label }))),
    get value() { return clamp(Number(input.value)); },
  };
}
