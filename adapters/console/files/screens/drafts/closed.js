// A draft that cannot be changed any more, or not by this reader.
import { html } from '../../vendor/ui.js';
import { money, number } from '../../base/format.js';
import { href, screenOf } from '../../base/route.js';
import { can } from '../../base/shop.js';
import { fieldLabel, t } from '../../base/words.js';
import { AddressLines } from '../../parts/address.js';
import { Button } from '../../parts/button.js';
import { Card, Notice } from '../../parts/state.js';
import { TaxRows } from '../../parts/taxes.js';
import { TermsTold } from '../../parts/terms.js';
import { Timeline } from '../../parts/timeline.js';
import { nameOfGoods, useGoods } from './find.js';
import { PaymentLink } from './link.js';

/** @param {{ draft: import('./store.js').Draft }} props */
export function Closed({ draft }) {
  const values = /** @type {import('./store.js').Values} */ (draft.values);
  const goods = useGoods(values.lines.map((l) => l.variant));
  const { status, order, totals, currency, shippingAddress: to, customerSnapshot: who } = values;
  const notes = /** @type {const} */ (['customerNotes', 'operatorNotes']).filter((name) => values[name]);
  const sum = (/** @type {string} */ label, /** @type {number} */ amount, /** @type {string} */ look = '') =>
    html`<div class=${look}><dt>${label}</dt><dd class="money">${money(amount, currency)}</dd></div>`;
  const seen = order && can('orders:read');
  return html`${status === 'finalized' && html`<${Notice} kind="good" action=${seen && html`<${Button} href=${href(screenOf('orders', order))}>${t('drafts.toOrder')}<//>`}>${t('drafts.isOrder')}<//>`}
    ${status === 'discarded' && html`<${Notice}>${t('drafts.isDiscarded')}<//>`}
    <div class="columns"><div>
      ${status === 'awaiting_payment' && html`<${PaymentLink} draft=${draft} />`}
      <${Card} title=${t('drafts.items')}><ul class="facts">${values.lines.map((l, i) => html`<li
        key=${l.id ?? i}>${number(l.quantity)} × ${nameOfGoods(goods(l.variant))} <${TermsTold} terms=${l.terms} currency=${currency} /></li>`)}</ul><//>
      <${Timeline} slug="draft-orders" id=${values.id} live=${['draft-orders', 'comments']} currency=${currency} />
    </div><aside>
      ${totals && html`<${Card} title=${t('drafts.totals')}><dl class="sums">
        ${sum(t('drafts.subtotal'), totals.subtotal)}${totals.discount > 0 && sum(t('drafts.discount'), -totals.discount)}${sum(t('drafts.shipping'), totals.shipping)}
        <${TaxRows} taxes=${totals.taxes} which="added" currency=${currency} />
        ${sum(t('drafts.total'), totals.total, 'whole')}
        <${TaxRows} taxes=${totals.taxes} which="included" currency=${currency} />
      </dl><//>`}
      <${Card} title=${t('drafts.buyer')}>${[who.name, who.phone, who.email].filter(Boolean).map((line) => html`<p key=${line}>${line}</p>`)}<//>
      <${Card} title=${t('drafts.address')}><address><${AddressLines} of=${to} /></address><//>
      ${notes.map((name) => html`<${Card} key=${name} title=${fieldLabel('draft-orders', name)}><p class="quote">${values[name]}</p><//>`)}
    </aside></div>`;
}
