// The search in the header: some of what is found shows as one types, all of it on the page of results.

import { el } from './dom.js';
import { lastOnly } from './latest.js';
import { priceLine } from './price.js';
import { go, withQuery } from './router.js';
import { asked, find, queryOf } from './search-query.js';
import { sentence, t } from './words.js';

/** How many products show below the field, and how long the typing has to rest before they are asked for. */
const FEW = 5;
const REST = 250;

export function searchField(shop) {
  const input = el('input', {
    id: 'search', type: 'search', name: 'q', maxlength: 200, autocomplete: 'off', spellcheck: 'false', enterkeyhint: 'search', 'aria-label': t('search.field'),
    placeholder: t('search.field'), 'aria-keyshortcuts': '/',
  });
  const said = el('p', { class: 'suggest-said', role: 'status' });
  const list = el('ul', { class: 'suggest-list' });
  const panel = el('div', { class: 'suggest', role: 'group', 'aria-label': t('search.suggestions') }, said, list);
  const form = el('form', { class: 'search', role: 'search' }, input, el('button', { class: 'search-go' }, t('search.go')), panel);
  const look = lastOnly(async (q, isLast) => {
    const found = await find(shop, asked(new URLSearchParams({ q })), { limit: FEW, omitFacets: true }).catch((error) => ({ error }));
    if (isLast()) draw(q, found);
  }, REST);

  function draw(q, { docs = [], totalDocs, error }) {
    said.textContent = error ? sentence(error) : totalDocs ? t('search.found', { count: totalDocs }) : t('search.none');
    list.replaceChildren(...docs.map((product) => suggestion(product)), ...(totalDocs > docs.length ? [all(q, totalDocs)] : []));
    form.classList.add('is-open');
  }

  function close() {
    look();
    form.classList.remove('is-open');
    said.textContent = '';
    list.replaceChildren();
  }

  input.addEventListener('input', () => (input.value.trim() ? look(input.value.trim()) : close()));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    close();
    go(resultsFor(input.value.trim()));
  });
  form.addEventListener('keydown', (event) => move(event, input, list, close));
  form.addEventListener('focusout', ({ relatedTarget }) => !form.contains(relatedTarget) && close());
  document.addEventListener('shown', close);
  document.addEventListener('keydown', (event) => focusBySlash(event, input));
  return form;
}

const resultsFor = (q) => withQuery('/search', queryOf(asked(new URLSearchParams({ q }))));

const suggestion = ({ slug, name, priceRange, compareAtPriceRange }) => el('li', {},
  el('a', { href: `#/products/${slug}` }, el('span', {}, name), priceLine(priceRange, compareAtPriceRange)));

const all = (q, count) => el('li', {}, el('a', { class: 'suggest-all', href: `#${resultsFor(q)}` }, t('search.all', { count })));

/** Moves by arrows between the field and what is found, and closes by Escape. */
function move(event, input, list, close) {
  const places = [input, ...list.querySelectorAll('a')];
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const to = by && places[places.indexOf(document.activeElement) + by];
  if (event.key === 'Escape' && document.activeElement !== input) input.focus(); // in the field, the browser empties it
  if (event.key === 'Escape') close();
  if (!to) return;
  event.preventDefault();
  to.focus();
}

/** The slash goes to the field from wherever nothing is typed. */
function focusBySlash(event, input) {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, select, textarea, dialog')) return;
  event.preventDefault();
  input.focus();
  input.select();
}
