// The shop does not know whose it is: it asks for a client key, and keeps it in this browser.

import { complain, complaints, el } from './dom.js';
import { remember } from './memory.js';
import { t } from './words.js';

export function askForKey() {
  const key = el('input', { id: 'key', name: 'key', required: true, autocomplete: 'off', spellcheck: 'false', 'aria-describedby': 'key-hint' });
  const box = complaints();
  const form = el('form', { class: 'form', novalidate: true },
    el('p', { class: 'field' },
      el('label', { for: 'key' }, t('key.label')), key,
      el('span', { class: 'hint', id: 'key-hint' }, t('key.hint'))),
    box,
    el('p', {}, el('button', { class: 'button' }, t('key.open'))));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!/^pk_(test|live)_\w+$/.test(key.value.trim())) {
      key.setAttribute('aria-invalid', 'true');
      complain(box, t('key.wrong'));
      return key.focus();
    }
    remember('clientKey', key.value.trim());
    location.reload();
  });
  const main = document.querySelector('#main');
  main.replaceChildren(el('div', { class: 'page narrow' },
    el('h1', {}, t('key.heading')),
    el('p', { class: 'lead' }, t('key.lead')), form));
  main.removeAttribute('aria-busy');
}
