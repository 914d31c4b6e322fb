// What was agreed with a buyer for a line, in a few words.
import { html } from '../vendor/ui.js';
import { money, number } from '../base/format.js';
import { t } from '../base/words.js';

/**
 * @typedef {{ unitPrice?: any, discountAmount?: any, discountPercent?: any, reason?: string | null, catalogPrice?: number | null }} Terms
 * amounts may be what somebody typed until the shop has them
 */

/** TermsTold is the price, what is off, and why; nothing where nothing was agreed. @param {{ terms: Terms | null | undefined, currency: string }} props */
export function TermsTold({ terms, currency }) {
  const { unitPrice = null, discountAmount, discountPercent, catalogPrice, reason } = terms ?? {};
  const price = unitPrice === null ? '' : money(unitPrice, currency);
  const told = [
    price && catalogPrice ? t('common.insteadOf', { price, catalog: money(catalogPrice, currency) }) : price,
    discountPercent ? `−${number(discountPercent)}%` : discountAmount && currency ? `−${money(discountAmount, currency)}` : '', reason,
  ].filter(Boolean);
  return told.length > 0 && html`<small class="note">${told.join(' · ')}</small>`;
}
