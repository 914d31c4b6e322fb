// What is ordered: found by name, SKU or barcode, without a hand off the keyboard.
import { html, useEffect, useState } from '../../vendor/ui.js';
import { href, screenOf } from '../../base/route.js';
import { money, number } from '../../base/format.js';
import { shop } from '../../base/shop.js';
import { optionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { Field } from '../../parts/field.js';
import { Finder } from '../../parts/finder.js';
import { Card, Empty, Notice } from '../../parts/state.js';
import { TermsTold } from '../../parts/terms.js';
import { Money } from '../../parts/value.js';
import { priceTold } from '../discounts/explain.js';
import { findGoods, nameOfGoods, useGoods } from './find.js';

/** @typedef {import('./store.js').Line} Line */
/** @typedef {import('../../vendor/sdk.js').OperatorAnswer<'POST /api/draft-orders/{id}/calculate'>} Totals */

const most = 9999;

/**
 * Items is the lines of a draft with the input that adds to them.
 * @param {{
 *   lines: Line[], onChange: (lines: Line[]) => void, totals: Totals | undefined, input: { current: HTMLInputElement | null },
 *   error?: string | undefined, foreign?: boolean, onAgree?: (at: number) => void
 * }} props onAgree: opens what is agreed for a line; foreign: prices are not those of the shop, so none is told before a thing is chosen
 */
export function Items({ lines, onChange, totals, input, error, foreign = false, onAgree }) {
  const goods = useGoods(lines.map((l) => l.variant));
  const add = (/** @type {any} */ found) => {
    const at = lines.findIndex((l) => l.variant === found.id);
    const units = found.units ?? 1;
    onChange(at < 0 ? [...lines, { variant: found.id, quantity: units }] : lines.map((l, i) => (i === at ? { ...l, quantity: Math.min(most,
      l.quantity + units) } : l)));
  };
  const set = (/** @type {number} */ at, /** @type {number} */ quantity) => onChange(lines.map((l, i) => (i === at ? { ...l, quantity } : l)));
  const remove = (/** @type {number} */ at) => {
    onChange(lines.filter((_, i) => i !== at));
    input.current?.focus();
  };
  return html`<${Card} title=${t('drafts.items')}>
    <${Field} label=${t('drafts.addItem')} help=${t('drafts.addItemHelp')} error=${error}>
      ${(/** @type {any} */ a) => html`<div class="labels relation"><${Finder} attributes=${a} input=${input} eager=${false} find=${find} onChoose=${add}
        placeholder=${t('drafts.addItemWith')} show=${(/** @type {any} */ g) => html`<${Found} goods=${g} priced=${!foreign} />`} /></div>`}
    <//>
    ${lines.length === 0 && html`<${Empty} icon="scan-line" title=${t('drafts.noItems')} text=${t('drafts.noItemsText')} />`}
    <ul class="draft-lines">
      ${lines.map((line, i) => html`<${Row} key=${line.id ?? `${line.variant} ${i}`} line=${line} goods=${goods(line.variant)}
        priced=${pricedAt(totals, line, i)} totals=${totals}
        onAgree=${onAgree && (() => onAgree(i))}
        onQuantity=${(/** @type {number} */ n) => set(i, n)} onRemove=${() => remove(i)} />`)}
    </ul>
  <//>`;
}

/** find understands `3 x mug` as three of them. @param {string} text @param {AbortSignal} signal */
async function find(text, signal) {
  const [, count, name] = /^(\d{1,4})\s*[x×*]\s*(\S.*)$/i.exec(text) ?? [];
  const found = await findGoods(name ?? text, signal);
  return count && Number(count) > 0 ? found.map((g) => ({ ...g, units: Number(count) })) : found;
}

/** @param {{ goods: import('./find.js').Goods & { units?: number }, priced: boolean }} props */
function Found({ goods, priced }) {
  const { units, sku, free, status, price } = goods;
  const facts = [sku, free === null ? '' : t('drafts.free', { n: free }), status && status !== 'published' ? optionLabel('products', 'status', status) : ''];
  return html`<span class="found-goods"><b>${units ? `${number(units)} × ` : ''}${nameOfGoods(goods)}</b>
    ${priced && html`<${Money} amount=${price} currency=${shop.value?.currency} />`}<small>${facts.filter(Boolean).join(' · ')}</small></span>`;
}

/**
 * pricedAt is what the shop says of a line, if it speaks of the line as it stands.
 * @param {Totals | undefined} totals
 * @param {Line} line
 * @param {number} at
 */
function pricedAt(totals, line, at) {
  const priced = totals?.lines[at];
  return priced?.variant === line.variant && priced.quantity === line.quantity ? priced : undefined;
}

/**
 * @param {{
 *   line: Line, goods: import('./find.js').Goods | undefined, priced: Totals['lines'][number] | undefined, totals: Totals | undefined,
 *   onQuantity: (n: number) => void, onRemove: () => void, onAgree?: (() => void) | undefined
 * }} props
 */
function Row({ line, goods, priced, totals, onQuantity, onRemove, onAgree }) {
  const name = nameOfGoods(goods);
  const currency = totals?.currency;
  return html`<li>
    <div class="what">
      ${goods?.productId ? html`<a href=${href(screenOf('products', goods.productId))}>${name}</a>` : name}
      ${goods?.sku && html`<small>${goods.sku}</small>`}
      <${TermsTold} terms=${line.terms && { ...line.terms, catalogPrice: priced?.terms?.catalogPrice ?? null }} currency=${currency} />
      ${onAgree && html`<${Button} look="quiet" icon="percent" onClick=${onAgree} label=${t('drafts.agree', { name })}>${t('drafts.agreeButton')}<//>`}
      ${priced && totals && html`<${How} priced=${priced} totals=${totals} />`}
    </div>
    <${Quantity} name=${name} quantity=${line.quantity} onQuantity=${onQuantity} onRemove=${onRemove} />
    <div class="sum">${priced ? html`<b><${Money} amount=${priced.total ?? priced.subtotal} currency=${currency} /></b>
      <small>${priced.unitPrice === null ? '' : t('drafts.each', { price: money(priced.unitPrice, currency) })}</small>` : html`<i class="wait-sum"></i>`}</div>
    <${Button} look="quiet" icon="x" label=${t('common.removeNamed', { name })} onClick=${onRemove} />
    ${priced?.reason && html`<div class="wrong-line"><${Notice} kind="warn">${lack(priced, totals)}<//></div>`}
  </li>`;
}

/**
 * lack is why a line cannot be sold.
 * @param {Totals['lines'][number]} priced
 * @param {Totals | undefined} totals
 */
function lack({ id, reason }, totals) {
  const missing = totals?.unavailable.find((u) => u.line === id);
  return t(`drafts.lack-${reason}`, { available: missing?.available ?? 0, requested: missing?.requested ?? 0 });
}

/** How is how the price of a line came about. @param {{ priced: Totals['lines'][number], totals: Totals }} props */
function How({ priced, totals }) {
  const told = totals.explanation?.lines.find((l) => l.line === priced.id);
  if (!told) return null;
  const taken = (totals.explanation?.discountCodes ?? []).flatMap((c) => c.lines.filter((l) => l.line === priced.id && l.share > 0).map((l) => ({ code: c.code,
    share: l.share })));
  return html`<details class="how"><summary>${t('drafts.how')}</summary>
    <p>${priceTold(told.price, totals.currency)}</p>
    <p>${t('drafts.times', { price: money(told.price.amount, totals.currency), n: told.quantity, sum: money(told.subtotal, totals.currency) })}</p>
    ${told.agreedDiscount > 0 && html`<p>${t('drafts.agreedOff', { amount: money(told.agreedDiscount, totals.currency) })}</p>`}
    ${taken.map(({ code, share }) => html`<p key=${code}>${t('drafts.share', { code, share: money(share, totals.currency) })}</p>`)}
  </details>`;
}

/** @param {{ name: string, quantity: number, onQuantity: (n: number) => void, onRemove: () => void }} props */
function Quantity({ name, quantity, onQuantity, onRemove }) {
  const [text, setText] = useState(String(quantity));
  useEffect(() => setText(String(quantity)), [quantity]);
  const step = (/** @type {number} */ by) => (quantity + by < 1 ? onRemove() : onQuantity(Math.min(most, quantity + by)));
  const type = (/** @type {string} */ typed) => {
    setText(typed);
    if (/^[1-9]\d{0,3}$/.test(typed.trim())) onQuantity(Number(typed));
  };
  const keys = (/** @type {KeyboardEvent} */ e) => {
    if (e.key !== 'ArrowUp' && e.key !== 'ArrowDown') return;
    e.preventDefault();
    onQuantity(Math.max(1, Math.min(most, quantity + (e.key === 'ArrowUp' ? 1 : -1))));
  };
  return html`<div class="stepper">
    <${Button} look="quiet" icon="minus" label=${t('drafts.fewer', { name })} onClick=${() => step(-1)} />
    <input type="text" inputmode="numeric" aria-label=${t('drafts.quantityOf', { name })} value=${text} onKeyDown=${keys}
      onBlur=${() => setText(String(quantity))}
      onFocus=${(/** @type {any} */ e) => e.currentTarget.select()} onInput=${(/** @type {any} */ e) => type(e.currentTarget.value)} />
    <${Button} look="quiet" icon="plus" label=${t('drafts.more', { name })} onClick=${() => step(1)} />
  </div>`;
}
