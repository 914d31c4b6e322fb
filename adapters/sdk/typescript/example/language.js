// The language of the page: the one in its address, else the one chosen before, else the one that the browser prefers most.

import { FOR_EVERY_SHOP, recall, remember } from './memory.js';

/** The languages that the storefront has words for, as they call themselves. */
export const LANGUAGES = { en: 'English', ko: '한국어', ja: '日本語' };

/** The language of the page: a key of LANGUAGES. */
export const language = chosen();

document.documentElement.lang = language;

function chosen() {
  const named = new URLSearchParams(location.search).get('lang');
  if (named in LANGUAGES) remember('language', named, FOR_EVERY_SHOP);
  return [named, recall('language', FOR_EVERY_SHOP), ...navigator.languages].map((tag) => tag?.split('-')[0]).find((tag) => tag in LANGUAGES) ?? 'en';
}

/** Shows this page in another language, in place of this one. */
export function speak(code) {
  const address = new URL(location.href);
  address.searchParams.set('lang', code);
  location.replace(address);
}
