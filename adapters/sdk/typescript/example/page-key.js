// The shop does not know whose it is: it asks for a client key, and keeps it in this browser.

import { complain, complaints, el } from './dom.js';
import { remember } from './memory.js';

export function askForKey() {
  const key = el('input', { id: 'key', name: 'key', required: true, autocomplete: 'off', spellcheck: 'false', 'aria-describedby': 'key-hint' });
  const box = complaints();
  const form = el('form', { class: 'form', novalidate: true },
    el('p', { class: 'field' },
      el('label', { for: 'key' }, 'Client key'), key,
      el('span', { class: 'hint', id: 'key-hint' }, 'It begins with pk_test_ and may stand in a web page. Never paste a secret key here.')),
    box,
    el('p', {}, el('button', { class: 'button' }, 'Open the shop')));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!/^pk_(test|live)_\w+$/.test(key.value.trim())) {
      key.setAttribute('aria-invalid', 'true');
      complain(box, 'That is no client key.');
      return key.focus();
    }
    remember('clientKey', key.value.trim());
    location.reload();
  });
  const main = document.querySelector('#main');
  main.replaceChildren(el('div', { class: 'page narrow' },
    el('h1', {}, 'Which shop is this?'),
    el('p', { class: 'lead' }, 'The server of this page has no demo shop to show. Give it a client key of a shop of yours.'), form));
  main.removeAttribute('aria-busy');
}
