// Pages by the part of the address after #. A page is an async function of the shop, what its path holds, and its query; it answers
// {title, content, seo?, leave?, follow?}: one h1 is among the content, and gets the focus, so that whoever listens knows where they
// are; leave is called when another page takes its place. A page with follow shows other queries of its own address by itself.

import { el, focusOn, hush } from './dom.js';
import { sentence, t } from './words.js';

const routes = [];

/** Says which page an address has: route('/products/:slug', product). */
export function route(pattern, page) {
  const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name]) => name);
  routes.push({ shape: new RegExp(`^${pattern.replace(/:\w+/g, '([^/]+)')}$`), names, page });
}

const address = () => location.hash.replace(/^#(?=\/)/, '') || '/';

/** Where we are, without the query: "/" for an address without #. */
export const here = () => address().split('?')[0];

/** The query of the address: all after ?. */
export const query = () => new URLSearchParams(address().slice(here().length));

/** A path with a query, which is left out when it is empty. */
export const withQuery = (path, params) => (String(params) ? `${path}?${params}` : path);

/** Goes to a page. The one before is busy from now on, although the browser tells of the new address a moment later. */
export function go(path) {
  document.querySelector('#main').setAttribute('aria-busy', 'true');
  if (address() === path) show();
  else location.hash = path;
}

let shop, elsewhere;
let latest = 0;
let shown = {}; // the page that is there: {path, leave, follow}

/** Shows the page of the address, and from now on every one that is gone to. */
export async function start(theShop, notFound) {
  [shop, elsewhere] = [theShop, notFound];
  window.addEventListener('hashchange', () => {
    if (!location.hash.startsWith('#/') && location.hash !== '') return; // it leads to a place in the page
    if (shown.follow && shown.path === here()) shown.follow(query());
    else show();
  });
  await show({ first: true });
}

/** Shows the page of the address anew. */
export async function show({ first = false } = {}) {
  const turn = ++latest;
  const main = document.querySelector('#main');
  main.setAttribute('aria-busy', 'true');
  hush();
  shown.follow = undefined; // it is on its way out
  const path = here();
  const page = await pageAt(path, query());
  if (turn !== latest) return page.leave?.(); // the shopper is elsewhere by now
  shown.leave?.();
  shown = { path, leave: page.leave, follow: page.follow };
  entitle(page.title);
  tellSearchEngines(page.seo);
  main.replaceChildren(...page.content);
  main.removeAttribute('aria-busy');
  main.dispatchEvent(new CustomEvent('shown', { bubbles: true }));
  if (first) return;
  window.scrollTo(0, 0);
  focusOn(main.querySelector('h1'));
}

/** Names the window after a page. */
export function entitle(title) {
  document.title = title === shop.name ? title : `${title} · ${shop.name}`;
}

/** Says what the page is about, and whether search engines may show it. */
function tellSearchEngines({ description, noIndex } = {}) {
  meta('description', description || t('shop.about'));
  meta('robots', noIndex ? 'noindex' : 'all');
}

function meta(name, content) {
  const found = document.head.querySelector(`meta[name="${name}"]`);
  if (found) found.setAttribute('content', content);
  else document.head.append(el('meta', { name, content }));
}

async function pageAt(path, asked) {
  for (const { shape, names, page } of routes) {
    const found = shape.exec(path);
    if (!found) continue;
    try {
      const values = Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(found[i + 1])])); // anybody may write an address
      return await page(shop, values, asked);
    } catch (error) {
      return trouble(error);
    }
  }
  return elsewhere(shop);
}

function trouble(error) {
  return {
    title: t('shop.trouble'),
    content: [
      el('div', { class: 'page narrow' },
        el('h1', {}, t('shop.trouble-title')),
        el('p', { class: 'lead' }, sentence(error)),
        el('p', {}, el('button', { type: 'button', class: 'button', onclick: () => show() }, t('shop.again')))),
    ],
  };
}
