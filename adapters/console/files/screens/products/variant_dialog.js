// All of one variant, where a sheet has no room for it.
import { html } from '../../vendor/ui.js';
import { number } from '../../base/format.js';
import { can, shop } from '../../base/shop.js';
import { helpOf, optionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { CheckField, NumberField, SelectField, TextField } from '../../parts/field.js';
import { label, priceIn, withPrice } from './columns.js';
import { titleOf } from './draft.js';
import { Pictures } from './media.js';

/**
 * @param {{ form: import('../../base/form.js').Form, markets: import('./columns.js').Market[], may: boolean, index: number, stockOf: (v: any) => any,
 *   onClose: () => void, onStock: () => void, onRemove?: (() => void) | undefined }} props
 */
export function VariantDialog({ form, markets, may, index, stockOf, onClose, onStock, onRemove }) {
  const { options, name: product, price, costPrice } = form.values;
  const variant = form.values.variants[index];
  const set = (/** @type {string} */ name, /** @type {any} */ v) => form.set(`variants.${index}.${name}`, v);
  const same = (/** @type {string} */ name) => ({
    label: label(name), help: helpOf('product-variants', name) ?? '', error: form.error(`variants.${index}.${name}`), value: variant[name] ?? '',
    onInput: (/** @type {any} */ v) => set(name, v === '' ? null : v),
  });
  // What is shipped follows from the kind, until it is said otherwise.
  const ofKind = (/** @type {string} */ kind) => form.set(`variants.${index}`, { ...variant, kind: kind || null, requiresShipping: null });
  const unit = shop.value?.currency ?? '';
  const kinds = ['physical', 'digital', 'service', 'event'].map((value) => ({ value, label: optionLabel('product-variants', 'kind', value) }));
  const adjust = variant.id && can('stock:adjust') && html`<${Button} icon="warehouse" onClick=${onStock}>${t('stock.adjust')}<//>`;
  const actions = html`${may && onRemove && html`<${Button} icon="trash" onClick=${() => {
      onRemove();
      onClose();
    }}>${t('common.remove')}<//>`}<${Button} look="primary" onClick=${onClose}>${t('products.doneEditing')}<//>`;
  return html`<${Dialog} title=${titleOf(variant, options) || product || label('title')} size="large" onClose=${onClose} actions=${actions}>
    <fieldset class="stack" disabled=${!may}>
      <div class="fields">
        <${TextField} ...${same('sku')} /><${TextField} ...${same('barcode')} />
        <${NumberField} ...${same('price')} unit=${unit} placeholder=${price} /><${NumberField} ...${same('compareAtPrice')} unit=${unit} />
        <${NumberField} ...${same('costPrice')} unit=${unit} placeholder=${costPrice ?? ''} /><${NumberField} ...${same('weight')} />
        <${SelectField} ...${same('kind')} options=${kinds} empty="—" onInput=${ofKind} /><${NumberField} ...${same('lowStockThreshold')} />
      </div>
      <${CheckField} ...${same('requiresShipping')} value=${variant.requiresShipping ?? (variant.kind ?? 'physical') === 'physical'} />
      <${CheckField} ...${same('trackInventory')} value=${variant.trackInventory !== false} />
      ${variant.id
        ? html`<p class="on-hand">${t('products.onHand', { n: number(stockOf(variant)) })} ${adjust}</p>`
        : html`<${NumberField} ...${same('stock')} label=${t('products.firstStock')} help="" />`}
      <${MarketPrices} ...${{ form, markets, index, variant }} />
      <h3>${label('images')}</h3>
      <${Pictures} value=${variant.images ?? []} error=${form.error(`variants.${index}.images`)} may=${may && can('media:create')}
        onInput=${(/** @type {string[]} */ v) => set('images', v)} />
    </fieldset>
  <//>`;
}

/** @param {{ form: import('../../base/form.js').Form, markets: import('./columns.js').Market[], index: number, variant: any }} props */
function MarketPrices({ form, markets, index, variant }) {
  if (markets.length === 0) return null;
  return html`<fieldset class="stack"><legend>${t('products.marketPrices')}</legend><p class="help">${t('products.marketHelp')}</p>
    ${markets.map((m) => {
      const price = priceIn(variant, m);
      const at = `variants.${index}.prices.${variant.prices.indexOf(price)}`;
      const put = (/** @type {any} */ change) => form.set(`variants.${index}`, withPrice(variant, m, change));
      return html`<div class="two" key=${m.id}>
        <${NumberField} label=${m.name} unit=${m.currency} value=${price?.amount} error=${price && form.error(`${at}.amount`)}
          onInput=${(/** @type {string} */ v) => put({ amount: v })} />
        <${NumberField} label=${label('compareAtPrice')} unit=${m.currency} value=${price?.compareAtAmount}
          error=${price && form.error(`${at}.compareAtAmount`)} disabled=${!price}
          onInput=${(/** @type {string} */ v) => put({ compareAtAmount: v })} />
      </div>`;
    })}
  </fieldset>`;
}
