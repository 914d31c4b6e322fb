// Numbers, money and times as the reader writes them, times in the shop's zone.
import { timeZone } from './shop.js';
import { locale } from './words.js';

/** @type {Map<string, any>} formatters are costly to make */
const made = new Map();

/**
 * @template T
 * @param {string} key
 * @param {() => T} make
 * @returns {T}
 */
function once(key, make) {
  const full = `${locale.value} ${key}`;
  if (!made.has(full)) made.set(full, make());
  return made.get(full);
}

/**
 * money is an amount in major units with its currency; an em dash where there is none.
 * @param {number | null | undefined} amount
 * @param {string | null | undefined} currency
 */
export function money(amount, currency) {
  if (amount === null || amount === undefined || !currency) return '—';
  const format = () => new Intl.NumberFormat(locale.value, { style: 'currency', currency, minimumFractionDigits: digitsOf(currency) });
  return minus(once(`money ${currency}`, format).format(amount));
}

/** minus writes the sign of what is below zero as wide as a digit, as the shop's own words do. @param {string} text */
const minus = (text) => text.replace('-', '−');

/** Currencies of which browsers leave out the digits after the point, since nobody has coins of them: the shop's amounts have these digits. */
const coinless = 'AFN ALL COP HUF IDR IQD IRR KPW LAK LBP MGA MMK PKR SOS SYP YER';

/** digitsOf is how many digits the amounts of a currency have after the point. @param {string} currency */
export const digitsOf = (currency) =>
  coinless.includes(currency) ? (currency === 'IQD' ? 3 : 2)
    : new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 0;

/**
 * sumOf adds amounts of one currency, in its smallest unit: in major units they would not add up exactly.
 * @param {(number | null)[]} amounts
 * @param {string} currency
 */
export function sumOf(amounts, currency) {
  const unit = 10 ** digitsOf(currency);
  return amounts.reduce((/** @type {number} */ sum, amount) => sum + Math.round((amount ?? 0) * unit), 0) / unit;
}

/** @param {number | null | undefined} n */
export function number(n) {
  return n === null || n === undefined ? '—' : minus(once('number', () => new Intl.NumberFormat(locale.value)).format(n));
}

/** rate is a rate, of exchange or of a tax, with all its digits: of 0.00072, three after the point would be another rate. @param {number} n */
export function rate(n) {
  return once('rate', () => new Intl.NumberFormat(locale.value, { maximumSignificantDigits: 8 })).format(n);
}

/** bytes is the size of a file. @param {number | null | undefined} n */
export function bytes(n) {
  if (n === null || n === undefined) return '—';
  const [unit, size] = n >= 1e6 ? ['megabyte', 1e6] : n >= 1e3 ? ['kilobyte', 1e3] : ['byte', 1];
  return once(`bytes ${unit}`, () => new Intl.NumberFormat(locale.value, { style: 'unit', unit: /** @type {string} */ (unit), maximumFractionDigits: 1 })).format(n / Number(size));
}

/** percent is a share, 0.125 for 12.5 %, with its sign. @param {number} share */
export function percent(share) {
  const format = () => new Intl.NumberFormat(locale.value, { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' });
  return minus(once('percent', format).format(share));
}

/** @type {Record<string, Intl.DateTimeFormatOptions>} */
const styles = {
  full: { dateStyle: 'full', timeStyle: 'long' },
  time: { dateStyle: 'medium', timeStyle: 'short' },
  day: { dateStyle: 'medium' },
  short: { month: 'short', day: 'numeric' },
  clock: { timeStyle: 'short' },
};

/**
 * time is a moment in the shop's zone.
 * @param {string | Date | null | undefined} at
 * @param {keyof typeof styles} [style]
 */
export function time(at, style = 'time') {
  if (!at) return '—';
  const zone = timeZone.value;
  return once(`time ${style} ${zone}`, () => new Intl.DateTimeFormat(locale.value, { ...styles[style], timeZone: zone })).format(new Date(at));
}

/**
 * ago is how long ago something was, up to a week; the day otherwise.
 * @param {string | null | undefined} at
 * @param {number} [now] milliseconds
 */
export function ago(at, now = Date.now()) {
  if (!at) return '—';
  const seconds = (Date.parse(at) - now) / 1000;
  const steps = /** @type {const} */ ([['day', 86_400], ['hour', 3600], ['minute', 60]]);
  if (Math.abs(seconds) > 7 * 86_400) return time(at, 'day');
  const [unit, size] = steps.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', Infinity];
  const days = (Date.parse(day(at)) - Date.parse(day(new Date(now)))) / 86_400_000; // yesterday is the day before, not 24 hours
  return once('ago', () => new Intl.RelativeTimeFormat(locale.value, { numeric: 'auto' })).format(unit === 'day' ? days : Math.round(seconds / size), unit);
}

/**
 * date is a calendar day, which is no moment and has no zone.
 * @param {string} text such as 2026-01-31
 * @param {'day' | 'short'} [style]
 */
export function date(text, style = 'day') {
  return once(`date ${style}`, () => new Intl.DateTimeFormat(locale.value, { ...styles[style], timeZone: 'UTC' })).format(new Date(`${text}T00:00:00Z`));
}

/** day is the calendar day of a moment in the shop's zone, as 2026-01-31. @param {string | Date} at */
export function day(at) {
  const zone = timeZone.value;
  return once(`day ${zone}`, () => new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone: zone })).format(new Date(at));
}

/** languageName is what a language is called, such as "Korean" for ko. @param {string} tag */
export const languageName = (tag) => once('language', () => new Intl.DisplayNames(locale.value, { type: 'language' })).of(tag) ?? tag;

/** countryName is what a country is called, such as "South Korea" for KR; what is no code stays as it is. @param {string} code */
export const countryName = (code) =>
  (/^[A-Z]{2}$/.test(code) ? once('country', () => new Intl.DisplayNames(locale.value, { type: 'region' })).of(code) : undefined) ?? code;
