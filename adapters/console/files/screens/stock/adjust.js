// Stock of a variant, by what arrived, left, or was counted. It never overwrites a sale that happened meanwhile.
import { html, useEffect } from '../../vendor/ui.js';
import { amountIn } from '../../base/amount.js';
import { number } from '../../base/format.js';
import { useForm } from '../../base/form.js';
import { useQuery } from '../../base/query.js';
import { href } from '../../base/route.js';
import { api } from '../../base/shop.js';
import { fieldLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { NumberField, TextField } from '../../parts/field.js';
import { FormDialog } from '../../parts/form.js';
import { Loading, Notice, Refused } from '../../parts/state.js';
import { tell } from '../../parts/toast.js';

/** How stock is adjusted. */
const ways = /** @type {const} */ (['add', 'remove', 'count']);

/** Reasons that are given most, in the words that are stored. */
const reasons = /** @type {const} */ (['received', 'damaged', 'recount', 'lost']);

/**
 * AdjustStock changes the units on hand of a variant.
 * @param {{ id: string, name: string, onClose: () => void, onDone?: () => void }} props
 */
export function AdjustStock({ id, name, onClose, onDone }) {
  const read = (/** @type {AbortSignal} */ signal) => api.collections.from('product-variants').findById(id, { depth: 0 }, { signal });
  const { data, refusal, reload } = useQuery(`variant ${id}`, read);
  if (!data) return html`<${Dialog} title=${t('stock.adjust')} onClose=${onClose}>${refusal ? html`<${Refused} refusal=${refusal}
    again=${reload} />` : html`<${Loading} />`}<//>`;
  // It is not read anew by itself: what was decided on stays what it was, until the shop says that it has changed.
  return html`<${Adjust} ...${{ name, onClose, onDone, reload }} variant=${data} />`;
}

/** @param {{ variant: any, name: string, onClose: () => void, onDone?: () => void, reload: () => void }} props */
function Adjust({ variant, name, onClose, onDone, reload }) {
  const stock = variant.stock ?? 0;
  const form = useForm({
    name: `stock ${variant.id}`,
    initial: { way: 'add', units: '', reason: '', note: '' },
    keep: false,
    send: async (_, options) => {
      const { way, units, reason, note } = form.values;
      const n = wholeOf(units) ?? units;
      const change = way === 'count' ? { count: n } : { delta: way === 'remove' && typeof n === 'number' ? -n : n };
      // What is on hand is what was shown: a sale in between is told, not undone.
      const input = /** @type {any} */ ({ id: variant.id, ...change, reason, ...(note && { note }), expected: stock });
      const { movement } = await api.call('POST /api/product-variants/{id}/stock', input, options);
      tell(t('stock.adjusted', { name }), movement && movement.delta !== 0 && ((again) => opposite(movement, again)));
    },
    onSent: () => {
      onClose();
      onDone?.();
    },
  });
  /** opposite takes a movement back by another one: what happened stays written down. @param {any} movement @param {object} options */
  const opposite = async ({ delta, stockAfter, reason }, options) => {
    const input = { id: variant.id, delta: -delta, expected: stockAfter, reason: t('stock.opposite', { reason }).slice(0, 200) };
    await api.call('POST /api/product-variants/{id}/stock', input, options);
    onDone?.();
    tell(t('stock.undone', { name }));
    return false;
  };
  const { way, units } = form.values;
  useEffect(() => {
    if (form.refusal?.reason === 'stock_changed') reload();
  }, [form.refusal]);
  const whole = wholeOf(units);
  const after = whole === undefined ? undefined : { add: stock + whole, remove: stock - whole, count: whole }[/** @type {'add'} */ (way)];
  return html`<${FormDialog} form=${form} id="adjust-stock" title=${t('stock.adjust')} action=${t('stock.adjust')} ready=${units !== '' &&
    form.values.reason !== ''} onClose=${onClose}>
    <p><b>${name}</b> ${variant.sku && html`<code>${variant.sku}</code>`}</p>
    <div class="segments" role="group" aria-label=${t('stock.way')}>
      ${ways.map((one) => html`<button type="button" key=${one} aria-pressed=${way === one}
        onClick=${() => form.set('way', one)}>${t(`stock.by-${one}`)}</button>`)}
    </div>
    <${NumberField} label=${t(way === 'count' ? 'stock.counted' : 'stock.change')} help=${way === 'count' ? t('stock.countedHelp') : ''}
      value=${units}
      error=${form.error('delta') ?? form.error('count')} onInput=${(/** @type {string} */ v) => form.set('units', v)} required autofocus />
    <${Reason} form=${form} />
    <${TextField} label=${fieldLabel('stock-movements', 'note')} ...${form.input('note')} />
    <${Sums} ...${{ variant, stock, after }} />
    ${after !== undefined && after < 0 && html`<${Notice} kind="warn">${t('stock.onlyHere', { n: stock })}<//>`}
    ${after !== undefined && after >= 0 && after < (variant.reserved ?? 0) && html`<${Notice} kind="warn">
      ${t('stock.belowReserved', { n: variant.reserved })}<//>`}
    ${variant.trackInventory === false && html`<${Notice}>${t('stock.untracked')}<//>`}
    <p><a href=${href(`/stock?tab=movements&variant=${variant.id}`)}>${t('stock.history')}</a></p>
  <//>`;
}

/** @param {{ form: import('../../base/form.js').Form }} props */
function Reason({ form }) {
  return html`<div class="stack tight">
    <${TextField} label=${fieldLabel('stock-movements', 'reason')} ...${form.input('reason')} required maxLength=${200} />
    <div class="suggestions" role="group" aria-label=${t('stock.suggestions')}>${reasons.map((one) => {
      const word = t(`stock.reason-${one}`);
      return html`<${Button} key=${one} look="quiet" aria-pressed=${form.values.reason === word} onClick=${() => form.set('reason', word)}>${word}<//>`;
    })}</div>
  </div>`;
}

/** Sums is what is on hand before and after, and what of it is promised already. @param {{ variant: any, stock: number, after: number | undefined }} props */
function Sums({ variant, stock, after }) {
  const reserved = variant.reserved ?? 0;
  return html`<dl class="sums preview" aria-live="polite">
    <div><dt>${t('stock.onHand')}</dt><dd>${number(stock)}${after !== undefined && html` → <b>${number(after)}</b>`}</dd></div>
    <div><dt>${fieldLabel('product-variants', 'reserved')}</dt><dd>${number(reserved)}</dd></div>
    <div class="whole"><dt>${t('stock.free')}</dt><dd>${number((after ?? stock) - reserved)}</dd></div>
  </dl>`;
}

/** wholeOf is the whole number that was typed; undefined for none. @param {string} text */
function wholeOf(text) {
  const n = amountIn(text);
  return Number.isInteger(n) ? /** @type {number} */ (n) : undefined;
}
