// Pages by the part of the address after #. A page is an async function of the shop and what its address holds; it answers
// {title, content, seo?, leave?}: one h1 is among the content, and gets the focus, so that whoever listens knows where they are;
// leave is called when another page takes its place.

import { el, hush } from './dom.js';
import { sentence } from './words.js';

const routes = [];

/** Says which page an address has: route('/products/:slug', product). */
export function route(pattern, page) {
  const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name]) => name);
  routes.push({ shape: new RegExp(`^${pattern.replace(/:\w+/g, '([^/]+)')}$`), names, page });
}

/** Where we are: "/" for an address without #. */
export const here = () => location.hash.replace(/^#(?=\/)/, '') || '/';

/** Goes to a page. The one before is busy from now on, although the browser tells of the new address a moment later. */
export function go(path) {
  document.querySelector('#main').setAttribute('aria-busy', 'true');
  if (here() === path) show();
  else location.hash = path;
}

let shop, elsewhere;
let latest = 0;
let leave;

/** Shows the page of the address, and from now on every one that is gone to. */
export async function start(theShop, notFound) {
  [shop, elsewhere] = [theShop, notFound];
  window.addEventListener('hashchange', () => {
    if (location.hash.startsWith('#/') || location.hash === '') show(); // the others lead to places in the page
  });
  await show({ first: true });
}

/** Shows the page of the address anew. */
export async function show({ first = false } = {}) {
  const turn = ++latest;
  const main = document.querySelector('#main');
  main.setAttribute('aria-busy', 'true');
  hush();
  const page = await pageAt(here());
  if (turn !== latest) return page.leave?.(); // the shopper is elsewhere by now
  leave?.();
  leave = page.leave;
  const { title, content } = page;
  document.title = title === shop.name ? title : `${title} · ${shop.name}`;
  tellSearchEngines(page.seo);
  main.replaceChildren(...content);
  main.removeAttribute('aria-busy');
  main.dispatchEvent(new CustomEvent('shown', { bubbles: true }));
  if (first) return;
  window.scrollTo(0, 0);
  focusOn(main.querySelector('h1'));
}

/** Says what the page is about, and whether search engines may show it. */
function tellSearchEngines({ description, noIndex } = {}) {
  meta('description', description || 'An example storefront, made with @cartwright/sdk and nothing else.');
  meta('robots', noIndex ? 'noindex' : 'all');
}

function meta(name, content) {
  const found = document.head.querySelector(`meta[name="${name}"]`);
  if (found) found.setAttribute('content', content);
  else document.head.append(el('meta', { name, content }));
}

/** Puts the focus on something that is no control. */
export function focusOn(heading) {
  heading.setAttribute('tabindex', '-1');
  heading.focus({ preventScroll: true });
}

async function pageAt(path) {
  for (const { shape, names, page } of routes) {
    const found = shape.exec(path);
    if (!found) continue;
    try {
      const values = Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(found[i + 1])])); // anybody may write an address
      return await page(shop, values);
    } catch (error) {
      return trouble(error);
    }
  }
  return elsewhere(shop);
}

function trouble(error) {
  return {
    title: 'Something went wrong',
    content: [
      el('div', { class: 'page narrow' },
        el('h1', {}, 'That did not work'),
        el('p', { class: 'lead' }, sentence(error)),
        el('p', {}, el('button', { type: 'button', class: 'button', onclick: () => show() }, 'Try again'))),
    ],
  };
}
