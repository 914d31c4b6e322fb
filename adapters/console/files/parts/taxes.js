// The taxes of a sale among its sums, one row for each rate.
import { html } from '../vendor/ui.js';
import { rate as digits } from '../base/format.js';
import { t } from '../base/words.js';
import { Money } from './value.js';

/**
 * @typedef {{ included?: boolean | null, rates?: { rate?: string | null, name: string | null, percent: number | null, amount: number | null }[] | null }} Taxes
 * as orders, drafts and previews have them
 */

/**
 * taxRows are the rows of taxes: added ones stand before the total, which they are part of, and those that the prices contain come after
 * it. Otherwise the sums would not add up to it.
 * @param {Taxes | null | undefined} taxes @param {'added' | 'included'} which @returns {[string, number | null][]}
 */
export function taxRows(taxes, which) {
  if (!taxes || (which === 'included') !== Boolean(taxes.included)) return [];
  return (taxes.rates ?? []).map(({ rate, name, percent, amount }) => {
    const tax = [name, percent === null || rate === null ? '' : `${digits(percent)}%`].filter(Boolean).join(' ');
    return [which === 'included' ? t('common.ofWhich', { tax }) : tax, amount];
  });
}

/** TaxRows are rows of a list of sums. @param {{ taxes: Taxes | null | undefined, which: 'added' | 'included', currency: string | null }} props */
export function TaxRows({ taxes, which, currency }) {
  const row = (/** @type {[string, number | null]} */ [label, amount], /** @type {number} */ i) =>
    html`<div key=${i}><dt>${label}</dt><dd><${Money} amount=${amount} currency=${currency} /></dd></div>`;
  return taxRows(taxes, which).map(row);
}
