// A payment link of the shop: its checkout becomes the one of this browser, and is paid as any other.

import { remember } from './memory.js';
import { here } from './router.js';
import { review } from './page-review.js';
import { nothing } from './page-nothing.js';
import { t } from './words.js';

export async function pay(shop, { token }) {
  const found = await shop.client.commerce.checkouts.retrieve({ checkoutToken: token }).catch((error) => {
    if (error.reason === 'not_found') return null;
    throw error;
  });
  if (!found) return nothing(shop, t('pay.link'));
  remember('checkout', found.checkout.id);
  remember('offered', found.checkout.id);
  if (here().startsWith('/pay/')) history.replaceState(null, '', '#/review'); // the token stays out of the history
  return review(shop);
}
