// The variants of a product, as a sheet; on a phone one after the other.
import { html, useEffect, useMemo, useState } from '../../vendor/ui.js';
import { money, number } from '../../base/format.js';
import { useShortcuts } from '../../base/keys.js';
import { useMarkets } from '../../base/markets.js';
import { narrow } from '../../base/screen.js';
import { can, shop } from '../../base/shop.js';
import { collectionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { Cells } from '../../parts/cells.js';
import { Icon } from '../../parts/icon.js';
import { Card, Notice } from '../../parts/state.js';
import { AdjustStock } from '../stock/adjust.js';
import { columnsOf, errorAt } from './columns.js';
import { maxVariants, missing, titleOf, withCombinations } from './draft.js';
import { VariantDialog } from './variant_dialog.js';

/** @typedef {import('./draft.js').Variant} Variant */

/**
 * @param {{ form: import('../../base/form.js').Form, initial: import('./draft.js').Draft, may: boolean, onStock: () => void }} props
 */
export function Variants({ form, initial, may, onStock }) {
  const draft = /** @type {import('./draft.js').Draft} */ (form.values);
  const { variants, options } = draft;
  const [rows, setRows] = useState({ first: 0, last: 0 });
  const [editing, setEditing] = useState(-1);
  const [counting, setCounting] = useState(/** @type {Variant | null} */ (null));
  const open = useMarkets();
  const markets = can('market-prices:read') ? open : [];
  // Stock goes on while the form is open: it is the present one that is shown.
  const stocks = useMemo(() => new Map(initial.variants.map((v) => [v.id, v.stock])), [initial]);
  const stockOf = (/** @type {Variant} */ v) => stocks.get(v.id);
  const count = (/** @type {number} */ i) => {
    const variant = variants[i];
    if (variant?.id && can('stock:adjust')) setCounting(variant);
  };
  const columns = columnsOf({ draft, markets, stockOf, onOpen: setEditing, onStock: count });
  const put = (/** @type {Variant[]} */ next) => form.set('variants', next);
  const first = Math.min(rows.first, variants.length - 1);
  const chosen = variants.slice(first, rows.last + 1);
  const remove = () => put(variants.filter((_, i) => i < first || i > rows.last));
  const held = form.refusal?.reason === 'variant_reserved' ? initial.variants.find((v) => v.id === form.refusal?.facts.variant) : undefined;
  const wrong = variants.findIndex((_, i) => form.error(`variants.${i}`));
  useEffect(() => {
    if (wrong >= 0 && narrow.value) setEditing(wrong);
  }, [form.refusal]);
  const counts = Boolean(chosen[0]?.id) && can('stock:adjust');
  useShortcuts([
    ...(variants.length > 0 ? [{ keys: 'e', label: t('products.editVariant'), run: () => setEditing(first) }] : []),
    ...(counts ? [{ keys: 's', label: t('stock.adjust'), run: () => count(first) }] : []),
  ]);
  const tools = html`<${Tools} ...${{ many: chosen.length, onEdit: () => setEditing(first) }} onStock=${counts ? () => count(first) : undefined}
    onRemove=${may && chosen.length < variants.length ? remove : undefined} />`;
  return html`<${Card} title=${`${collectionLabel('product-variants')} · ${number(variants.length)}`} top=${!narrow.value && variants.length > 0 && tools}
    class="variants">
    <${Removed} before=${initial.variants} now=${variants} options=${initial.options} />
    <${Missing} ...${{ options, variants, put, may }} />
    ${held && html`<${Notice} kind="bad">${titleOf(held, initial.options)}: ${form.refusal?.text}<//>`}
    ${form.error('variants') && wrong < 0 && html`<${Notice} kind="bad">${form.error('variants')}<//>`}
    ${wrong >= 0 && html`<${Notice} kind="bad">${titleOf(variants[wrong], options) || draft.name}: ${form.error(`variants.${wrong}`)}<//>`}
    ${narrow.value
      ? html`<${VariantCards} ...${{ draft, stockOf, form, onOpen: setEditing }} />`
      : html`<${Cells} label=${collectionLabel('product-variants')} rows=${variants} columns=${columns} onChange=${put} disabled=${!may}
            jump=${{ r: wrong, why: form.refusal }}
            error=${(/** @type {number} */ i, /** @type {string} */ key) => errorAt(form, i, key)}
            onRange=${(/** @type {number} */ first, /** @type {number} */ last) => setRows({ first, last })} />
          ${may && html`<p class="help">${t('products.sheetHelp')}</p>`}`}
    ${variants[editing] && html`<${VariantDialog} ...${{ form, markets, may, index: editing, stockOf }} onClose=${() => setEditing(-1)}
      onStock=${() => count(editing)}
      onRemove=${variants.length > 1 ? () => put(variants.filter((_, i) => i !== editing)) : undefined} />`}
    ${counting && html`<${AdjustStock} id=${counting.id ?? ''} name=${[draft.name, titleOf(counting, options)].filter(Boolean).join(' · ')}
      onClose=${() => setCounting(null)} onDone=${onStock} />`}
  <//>`;
}

/**
 * Tools is what can be done with the rows that are selected.
 * @param {{ many: number, onEdit: () => void, onStock?: () => void, onRemove?: () => void }} props
 */
function Tools({ many, onEdit, onStock, onRemove }) {
  return html`<span class="cell-tools">
    <${Button} look="quiet" icon="pencil" onClick=${onEdit}>${t('products.editVariant')}<//>
    ${onStock && html`<${Button} look="quiet" icon="warehouse" onClick=${onStock}>${t('stock.adjust')}<//>`}
    ${onRemove && html`<${Button} look="quiet" icon="trash" onClick=${onRemove}>${t('products.removeVariants', { n: many })}<//>`}
  </span>`;
}

/** Removed says which variants go away when the form is saved. @param {{ before: Variant[], now: Variant[], options: import('./draft.js').Option[] }} props */
function Removed({ before, now, options }) {
  const gone = before.filter((v) => !now.some((x) => x.id === v.id));
  if (gone.length === 0) return null;
  const names = gone.slice(0, 5).map((v) => titleOf(v, options)).join(', ');
  return html`<${Notice} kind="warn">${t('products.willRemove', { n: gone.length })} ${names}${gone.length > 5 ? ' …' : ''}<//>`;
}

/**
 * Missing offers the combinations that no variant has.
 * @param {{ options: import('./draft.js').Option[], variants: Variant[], put: (next: Variant[]) => void, may: boolean }} props
 */
function Missing({ options, variants, put, may }) {
  const possible = options.reduce((n, o) => n * Math.max(1, o.values.length), 1);
  const all = useMemo(() => (possible > maxVariants ? [] : missing(options, variants)), [options, variants]);
  if (!may || all.length === 0 || !options.some((o) => o.values.length > 0)) return null;
  const add = () => put(withCombinations(options, variants, all));
  return html`<${Notice} action=${html`<${Button} icon="plus" onClick=${add}>${t('products.addMissing')}<//>`}>${t('products.missing', { n: all.length })}<//>`;
}

/**
 * @param {{ draft: import('./draft.js').Draft, stockOf: (v: Variant) => any, form: import('../../base/form.js').Form, onOpen: (index: number) => void }} props
 */
function VariantCards({ draft, stockOf, form, onOpen }) {
  return html`<ul class="variant-cards">${draft.variants.map((v, i) => html`<li key=${v.id ?? i}>
    <button type="button" class=${form.error(`variants.${i}`) ? 'wrong' : ''} onClick=${() => onOpen(i)}>
      <b>${titleOf(v, draft.options) || draft.name || '—'}</b><span class="money">${money(Number(v.price ?? draft.price) || 0, shop.value?.currency)}</span>
      <small>${v.sku ?? ''}</small><small>${t('products.onHand', { n: number(v.id ? stockOf(v) : (v.stock ?? 0)) })}</small><${Icon} name="chevron-right" />
    </button></li>`)}</ul>`;
}
