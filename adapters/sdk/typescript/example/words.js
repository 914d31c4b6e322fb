// How the shop speaks: its sentences, amounts, dates, and what went wrong, all in the language of the page.

import { language } from './language.js';

const files = { en: () => import('./words.en.js'), ko: () => import('./words.ko.js'), ja: () => import('./words.ja.js') };
const words = (await files[language]()).default;
const plural = new Intl.PluralRules(language);

/** A sentence by its name; `count` among the values decides between one and many, and numbers are written as people write them. */
export function t(name, values = {}) {
  const word = words[name];
  const text = typeof word === 'string' ? word : word[plural.select(values.count)] ?? word.other;
  return text.replace(/{(\w+)}/g, (_, value) => (typeof values[value] === 'number' ? number(values[value]) : values[value]));
}

const number = (n) => new Intl.NumberFormat(language).format(n);

/** An amount as people write it: money(28000, 'KRW') is "₩28,000". No digit is left out, as browsers do in currencies without coins. */
export function money(amount, currency) {
  return new Intl.NumberFormat(language, { style: 'currency', currency, maximumFractionDigits: 4 }).format(amount);
}

/** A day as people write it. */
export function day(timestamp) {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(new Date(timestamp));
}

/** A day and its time, in the shopper's time zone and, if it is one of the page's language, by the custom of their region. */
export function moment(timestamp) {
  const own = navigator.languages.filter((tag) => tag.split('-')[0] === language);
  return new Intl.DateTimeFormat([...own, language], { dateStyle: 'long', timeStyle: 'short' }).format(new Date(timestamp));
}

/** The name of a country by its code. */
export function country(code) {
  return new Intl.DisplayNames(language, { type: 'region' }).of(code);
}

/** The name of a currency by its code. */
export function currencyName(code) {
  return new Intl.DisplayNames(language, { type: 'currency' }).of(code);
}

/** The name of a market. Shops name markets in their own language; to others, one of a single country is called after it. */
export function marketName({ info }, { name, countries = [] }) {
  return info?.locale?.split('-')[0] !== language && countries.length === 1 ? country(countries[0]) : name;
}

/** Why a discount code does nothing, by the reason the server gives. */
export const whyNot = (reason) => ofReason(reason) ?? t('code.unusable');

/** What to tell a shopper about an error of the SDK: by its reason, never by its text. */
export function sentence(error) {
  const told = ofReason(error?.reason);
  if (told) return told;
  const unknown = t(error?.fields?.length ? 'reason.marked' : 'reason.unknown');
  return error?.requestId ? `${unknown} (${error.requestId})` : unknown;
}

const ofReason = (reason) => (`reason.${reason}` in words ? t(`reason.${reason}`) : null);
