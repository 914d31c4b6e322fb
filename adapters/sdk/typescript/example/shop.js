// The shop as all pages see it: the client, the markets it sells in, and how its goods are grouped.

import { createClient } from './cartwright-sdk.js';
import { language } from './language.js';
import { t } from './words.js';
import { Basket } from './basket.js';
import { recall, remember, rememberFor } from './memory.js';

/** Thrown when nobody said which shop this is. */
export class NoKey extends Error {}

/** Reads shop.json: {name?, clientKey, baseUrl?}; without a name the shop has its own. A client key may stand in a web page; a secret key must not. */
async function settings() {
  const answer = await fetch('shop.json');
  const said = answer.ok ? await answer.json() : {};
  return { name: said.name, clientKey: said.clientKey ?? recall('clientKey'), baseUrl: said.baseUrl ?? location.origin };
}

export async function openShop() {
  const { name, clientKey, baseUrl } = await settings();
  if (!clientKey) throw new NoKey();
  rememberFor(clientKey);
  const client = createClient({ clientKey, baseUrl, language: () => language });
  const all = (slug, sort) => client.collections.from(slug).find({ limit: 100, sort }).then((list) => list.docs);
  const [markets, categories, info] = await Promise.all([
    all('markets', 'name'), all('categories', 'position'), client.commerce.shop.retrieve().catch(() => null), // a shop without its footer sells, too
  ]);
  const shop = { name: name ?? info?.name ?? t('shop.name'), info, client, baseUrl, markets, categories, market: marketOf(markets), basket: new Basket(client) };
  await finish(shop);
  await shop.basket.open(shop.market?.code);
  return shop;
}

/** The market whose prices are shown: the one chosen before, else the shop's first. Null: the shop knows no markets. */
function marketOf(markets) {
  const chosen = recall('market');
  return markets.find((m) => m.code === chosen) ?? markets.find((m) => m.isDefault) ?? markets[0] ?? null;
}

/** Shows the prices of another market. Each has a cart of its own, since a cart keeps to one currency. */
export async function choose(shop, code) {
  remember('market', code);
  shop.market = marketOf(shop.markets);
  await shop.basket.open(code);
}

/**
 * Ends what a closed tab or a lost connection left open: the SDK sends each operation again under its old key, so that
 * it happens once, however often it is sent. What is answered here was never shown: it is remembered like any answer.
 */
async function finish(shop) {
  for (const { operation, result } of await shop.client.pending.resume()) {
    if (/^carts\.(create|merge)$/.test(operation) && result) shop.basket.adopt(result.cart, shop.markets.find((m) => m.id === result.cart.market)?.code);
    if (operation === 'checkouts.create' && result) remember('checkout', result.checkout.id);
    if (operation === 'paymentSessions.createAggregator' && result) {
      remember('payment', { checkoutId: result.paymentSession.checkout, paymentSessionId: result.paymentSession.id });
    }
  }
}
