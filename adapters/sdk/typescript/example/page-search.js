// What was looked for, or one category: what is found stands in the address, so that it can be gone back to and passed on.

import { busy, el, isBusy, redraw, say } from './dom.js';
import { chips, facets } from './facets.js';
import { lastOnly } from './latest.js';
import { entitle, here, withQuery } from './router.js';
import { asked, find, isFiltered, queryOf, unfiltered } from './search-query.js';
import { PAGE, tilesOf } from './shelf.js';
import { sentence, t } from './words.js';
import { nothing } from './page-nothing.js';

/** From here on the filters stand beside the goods; on smaller screens they are behind a button. */
const WIDE = '(min-width: 60rem)';

export const search = (shop, _, params) => results(shop, params, null);

export async function category(shop, { slug }, params) {
  const group = shop.categories.find((c) => c.slug === slug);
  return group ? results(shop, params, group) : nothing(shop);
}

async function results(shop, params, group) {
  const view = new Results(shop, group);
  await view.show(asked(params));
  return {
    title: view.title,
    seo: group ? { description: group.seo?.description || group.description, noIndex: group.seo?.noIndex } : { noIndex: true },
    content: view.content,
    follow: (next) => view.follow(asked(next)),
    leave: () => view.leave(),
  };
}

class Results {
  #shop;
  #group;
  #path = here();
  #asked;
  #open = new Set(['categories', 'brands', 'prices']); // groups of filters that are unfolded
  #look = lastOnly((next, isLast) => this.#read(next, isLast));

  #heading = el('h1', {});
  #corrected = el('p', { class: 'corrected' });
  #said = el('p', { class: 'found', role: 'status' });
  #chips = el('ul', { class: 'chips', 'aria-label': t('search.chosen') });
  #filters = el('form', { class: 'facets', 'aria-label': t('search.filters') });
  #beside = el('aside', { class: 'beside', 'aria-label': t('search.filters') });
  #grid = el('ul', { class: 'grid' });
  #empty = el('div', {});
  #soFar = el('p', { class: 'so-far' });
  #more = el('button', { type: 'button', class: 'button quiet' }, t('goods.more'));
  #done = el('button', { type: 'button', class: 'button wide' });
  #dialog = el('dialog', { class: 'drawer', 'aria-labelledby': 'drawer-title' });
  #sort = sortBy((sort) => this.#change({ ...this.#asked, sort }));
  #wide = matchMedia(WIDE);
  #place = () => this.#placeFilters();

  constructor(shop, group) {
    [this.#shop, this.#group] = [shop, group];
    const close = () => this.#dialog.close();
    this.#dialog.append(
      el('div', { class: 'drawer-head' },
        el('h2', { id: 'drawer-title' }, t('search.filters')), el('button', { type: 'button', class: 'link', onclick: close }, t('shop.close'))),
      this.#done);
    this.#done.addEventListener('click', close);
    this.#filters.addEventListener('submit', (event) => event.preventDefault()); // by Enter in a price, which is a change already
    this.#filters.addEventListener('toggle', ({ target }) => this.#open[target.open ? 'add' : 'delete'](target.id.slice('facet-'.length)), true);
    this.#more.addEventListener('click', () => !isBusy(this.#more) && busy(this.#more, () => this.#grow()));
    this.#wide.addEventListener('change', this.#place);
    this.#placeFilters();
    const filter = el('button', { type: 'button', class: 'button quiet filter', onclick: () => this.#dialog.showModal() }, t('search.filter'));
    this.content = [
      el('div', { class: 'page heading' }, this.#heading, group?.description && el('p', { class: 'lead' }, group.description), this.#corrected),
      el('div', { class: 'page results' }, this.#beside, el('section', { class: 'found-goods', 'aria-label': t('goods.label') },
        el('div', { class: 'bar' }, this.#said, filter, this.#sort.element), this.#chips, this.#grid, this.#empty,
        el('div', { class: 'more' }, this.#soFar, this.#more))),
      this.#dialog,
    ];
  }

  get title() {
    if (this.#group) return this.#group.seo?.title || this.#group.name;
    return this.#asked.q ? t('search.title', { q: this.#asked.q }) : t('search.everything');
  }

  leave() {
    this.#wide.removeEventListener('change', this.#place);
    this.#look();
  }

  /** Shows what is asked. Errors: those of the search. */
  async show(next) {
    await this.#draw(next, await this.#find(next, { limit: next.shown }));
  }

  /** Shows what is asked when the page is there already: what goes wrong is told beside the filters. */
  follow(next) {
    document.querySelector('#main').setAttribute('aria-busy', 'true');
    return this.#look(next);
  }

  /** Asks for something else; the address tells so, and leads back. */
  #change(next) {
    next.shown = PAGE;
    history.pushState(null, '', `#${withQuery(this.#path, queryOf(next))}`);
    return this.follow(next);
  }

  #find(next, page) {
    return find(this.#shop, next, { group: this.#group, ...page });
  }

  async #read(next, isLast) {
    try {
      const list = await this.#find(next, { limit: next.shown });
      if (isLast()) await this.#draw(next, list);
    } catch (error) {
      if (isLast()) this.#complain(error);
    } finally {
      if (isLast()) document.querySelector('#main').removeAttribute('aria-busy');
    }
  }

  #complain(error) {
    const about = error.fields?.find(({ field }) => /Price$/.test(field));
    const place = document.querySelector('#facet-wrong');
    if (about && place) place.textContent = about.message;
    else say(sentence(error));
  }

  async #draw(next, list) {
    const tiles = await tilesOf(this.#shop, list.docs);
    this.#asked = next;
    const field = document.querySelector('#search');
    if (!this.#group && field !== document.activeElement) field.value = next.q;
    this.#heading.textContent = this.title;
    if (this.#heading.isConnected) entitle(this.title);
    this.#corrected.textContent = list.corrections.length ? t('search.corrected', { words: taken(next.q, list.corrections) }) : '';
    this.#said.textContent = list.totalDocs ? t('search.found', { count: list.totalDocs }) : t('search.none');
    this.#done.textContent = t('search.show', { count: list.totalDocs });
    this.#sort.choose(next.sort);
    const change = (then) => this.#change(then);
    const open = (id) => this.#open.has(id);
    redraw(this.#filters, facets(this.#shop, this.#group, next, list.facets, { change, open }), this.#heading);
    redraw(this.#chips, chips(next, this.#shop.market?.currency ?? list.facets.priceRange?.currency, change), this.#heading);
    this.#grid.replaceChildren(...tiles);
    this.#empty.replaceChildren(...(list.totalDocs ? [] : this.#tips(next)));
    this.#tellHowMany(list);
  }

  #tellHowMany({ totalDocs, hasNextPage }) {
    this.#soFar.textContent = totalDocs ? t('goods.so-far', { shown: this.#grid.children.length, count: totalDocs }) : '';
    this.#more.hidden = !hasNextPage;
  }

  async #grow() {
    const before = this.#asked;
    try {
      const list = await this.#find(before, { page: this.#grid.children.length / PAGE + 1, limit: PAGE, omitFacets: true });
      const tiles = await tilesOf(this.#shop, list.docs);
      if (before !== this.#asked) return; // something else is shown by now
      this.#grid.append(...tiles);
      this.#asked.shown = this.#grid.children.length;
      history.replaceState(null, '', `#${withQuery(this.#path, queryOf(this.#asked))}`);
      this.#tellHowMany(list);
      tiles[0]?.querySelector('a').focus(); // what is new begins there
    } catch (error) {
      say(sentence(error));
    }
  }

  #tips(next) {
    const clear = el('button', { type: 'button', class: 'button', onclick: () => this.#change(unfiltered(next)) }, t('search.clear'));
    return [el('h2', {}, t('search.try')), el('ul', { class: 'plain tips' },
      next.q && [el('li', {}, t('search.try-spelling')), el('li', {}, t('search.try-other'))],
      isFiltered(next) && el('li', {}, t('search.try-filters')),
      el('li', {}, t('search.try-categories'), el('ul', { class: 'tips-groups' },
        this.#shop.categories.map((group) => el('li', {}, el('a', { href: `#/category/${group.slug}` }, group.name)))))),
    isFiltered(next) && el('p', {}, clear)].filter(Boolean);
  }

  #placeFilters() {
    if (this.#wide.matches) {
      this.#dialog.close();
      this.#beside.append(this.#filters);
    } else {
      this.#done.before(this.#filters);
    }
  }
}

/** What was typed, with the words that were found instead. */
const taken = (q, corrections) => corrections.reduce((text, { typed, taken: word }) => text.replace(typed, () => word), q);

/** The order of what is found: {element, choose}. */
function sortBy(change) {
  const words = { '': t('search.relevance'), newest: t('search.newest'), price: t('search.price'), '-price': t('search.-price') };
  const select = el('select', { id: 'sort' }, Object.entries(words).map(([value, name]) => el('option', { value }, name)));
  select.addEventListener('change', () => change(select.value));
  return {
    element: el('span', { class: 'sort' }, el('label', { for: 'sort' }, t('search.sort')), el('span', { class: 'pick' }, select)),
    choose: (sort) => { select.value = sort in words ? sort : ''; },
  };
}
