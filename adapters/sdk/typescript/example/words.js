// How the shop speaks: amounts, dates, and what went wrong.

/** The language of the page. */
export const LOCALE = document.documentElement.lang || 'en';

/** An amount as people write it: money(28000, 'KRW') is "₩28,000". No digit is left out, as browsers do in currencies without coins. */
export function money(amount, currency) {
  return new Intl.NumberFormat(LOCALE, { style: 'currency', currency, maximumFractionDigits: 4 }).format(amount);
}

/** A day as people write it. */
export function day(timestamp) {
  return new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long' }).format(new Date(timestamp));
}

/** A day and its time, in the shopper's own language and time zone. */
export function moment(timestamp) {
  return new Intl.DateTimeFormat(navigator.languages, { dateStyle: 'long', timeStyle: 'short' }).format(new Date(timestamp));
}

/** The name of a country by its code. */
export function country(code) {
  return new Intl.DisplayNames(LOCALE, { type: 'region' }).of(code);
}

/** The name of a currency by its code. */
export function currencyName(code) {
  return new Intl.DisplayNames(LOCALE, { type: 'currency' }).of(code);
}

/** How many of something: count(1, 'item') is "1 item". */
export function count(number, one, many = `${one}s`) {
  return `${number} ${number === 1 ? one : many}`;
}

/** Why a discount code does nothing, by the reason the server gives. */
const codeReasons = {
  discount_not_found: 'We do not know this code.',
  discount_inactive: 'This code is not in use.',
  discount_not_started: 'This code does not count yet.',
  discount_expired: 'This code has run out.',
  discount_usage_limit: 'This code was used by others first.',
  discount_customer_limit: 'You used this code before.',
  discount_min_order: 'This code needs a larger order.',
  discount_not_applicable: 'This code is for other things than these.',
  discount_not_combinable: 'This code does not go together with the others.',
  discount_context_required: 'This code is for another currency.',
};

export const whyNot = (reason) => codeReasons[reason] ?? 'This code cannot be used now.';

/** What to tell a shopper about an error of the SDK: by its reason, never by its text. */
const sentences = {
  ...codeReasons,
  network_error: 'The shop cannot be reached. Your order is safe: try again when you are online.',
  timeout: 'The shop takes too long to answer. Try again: nothing happens twice.',
  rate_limited: 'That was a little fast. Wait a moment, then try again.',
  cart_revision_conflict: 'Your cart was changed in another window. This is how it looks now: please look at it again.',
  cart_not_active: 'This cart is closed. A new one is ready.',
  out_of_stock: 'There are not that many left.',
  variant_unavailable: 'This is no longer for sale.',
  quantity_limit: 'That is more than one order can hold.',
  checkout_expired: 'This checkout waited too long. Please start again from the cart.',
  payment_link_expired: 'The time to pay by this link is over. Please ask the shop for a new one.',
  checkout_not_open: 'This checkout is closed. Please start again from the cart.',
  payment_slot_held: 'A payment of this order is under way already.',
  shipping_unavailable: 'We cannot send a parcel there.',
  provider_unavailable: 'The payment service does not answer. Try again in a moment.',
  payment_method_not_enabled: 'This way to pay is not offered at the moment.',
};

export function sentence(error) {
  const told = sentences[error?.reason] ?? (error?.fields?.length ? 'Please look at what is marked.' : 'Something went wrong. Please try again.');
  return error?.requestId && !sentences[error.reason] ? `${told} (${error.requestId})` : told;
}
