// Prices of many products by a percentage: each is shown before and after, and just those are changed.
import { html, useState } from '../../vendor/ui.js';
import { amountIn } from '../../base/amount.js';
import { useForm } from '../../base/form.js';
import { useMarkets } from '../../base/markets.js';
import { api, shop } from '../../base/shop.js';
import { collectionLabel, t } from '../../base/words.js';
import { NumberField, SelectField } from '../../parts/field.js';
import { FormDialog } from '../../parts/form.js';
import { Loading, Notice } from '../../parts/state.js';
import { Results } from '../../parts/results.js';
import { tell } from '../../parts/toast.js';
import { Money } from '../../parts/value.js';
import { usePreview } from '../../base/preview.js';
import { told } from './bulk.js';

/** @typedef {import('../../vendor/sdk.js').OperatorAnswer<'POST /api/products/prices/adjust'>} Adjusted */

const route = 'POST /api/products/prices/adjust';

/** @param {{ ids: string[], onClose: () => void }} props */
export function AdjustPrices({ ids, onClose }) {
  const [outcome, setOutcome] = useState(/** @type {Adjusted | null} */ (null));
  const form = useForm({
    name: 'adjust prices',
    initial: { percent: '', rounding: 'nearest', roundTo: '', below: '', market: '' },
    keep: false,
    send: async (_, options) => {
      const expected = (preview?.prices ?? []).flatMap((p) => (p.status === 'updated' ? [{ id: p.id, revision: p.revision }] : []));
      const done = await api.call(route, /** @type {any} */ ({ ...input, expected }), options);
      if (done.refused > 0) return setOutcome(done);
      tell(t('products.adjusted', { n: done.updated }));
      return onClose();
    },
  });
  const { percent, rounding, roundTo, below, market } = form.values;
  const basisPoints = Math.round(Number(amountIn(percent)) * 100);
  const input = {
    products: ids, basisPoints, rounding, ...(roundTo && { roundTo: amountIn(roundTo) }), ...(below && { below: amountIn(below) }), ...(market && { market }),
  };
  const key = basisPoints ? JSON.stringify(input) : '';
  const { preview, refusal, asking } = usePreview(key, (signal) => api.preview(route, /** @type {any} */ ({ ...input, preview: true }), { signal }));
  if (outcome) return html`<${Results} title=${t('products.worked', { n: outcome.updated })} onClose=${onClose} results=${resultsOf(outcome)} />`;
  const ready = preview !== undefined && preview.updated > 0;
  return html`<${FormDialog} form=${form} id="adjust-prices" title=${t('products.adjust')} size="large" ready=${ready} onClose=${onClose}
    action=${t('products.adjustNow', { n: preview?.updated ?? 0 })}>
    <p class="help">${t('products.adjustHelp')}</p>
    <${Inputs} form=${form} />
    ${refusal && !form.refusal && html`<${Notice} kind="warn">${refusal.text} ${Object.values(refusal.fields).join(' ')}<//>`}
    ${asking && html`<${Loading} />`}
    ${preview && html`<${Preview} of=${preview} />`}
  <//>`;
}

/** @param {{ form: import('../../base/form.js').Form }} props */
function Inputs({ form }) {
  const markets = useMarkets();
  const market = markets.find((m) => m.id === form.values.market);
  const unit = market?.currency ?? shop.value?.currency;
  const ways = ['nearest', 'up', 'down'].map((value) => ({ value, label: t(`products.rounding-${value}`) }));
  return html`<div class="fields">
    <${NumberField} label=${t('products.percent')} unit="%" help=${t('products.percentHelp')} ...${form.input('percent')}
      error=${form.error('basisPoints')} required />
    ${markets.length > 0 && html`<${SelectField} label=${collectionLabel('markets', 'one')} empty=${t('products.basePrices')}
      options=${markets.map((m) => ({ value: m.id, label: `${m.name} · ${m.currency}` }))} ...${form.input('market')} />`}
    <${SelectField} label=${t('products.rounding')} options=${ways} ...${form.input('rounding')} />
    <${NumberField} label=${t('products.roundTo')} unit=${unit} ...${form.input('roundTo')} />
    <${NumberField} label=${t('products.below')} unit=${unit} help=${t('products.belowHelp')} ...${form.input('below')} />
  </div>`;
}

/** Preview is each price before and after. @param {{ of: Adjusted }} props */
function Preview({ of: { prices, currency, updated, unchanged, refused } }) {
  const rest = [unchanged > 0 && t('products.stay', { n: unchanged }), refused > 0 && t('products.refused', { n: refused })].filter(Boolean).join(' ');
  return html`<p aria-live="polite"><b>${t('products.willChange', { n: updated })}</b> ${rest}</p>
    <div class="scroll tall" tabindex="0" role="group" aria-label=${t('products.before')}><table class="compared">
      <thead><tr><th>${collectionLabel('products', 'one')}</th><th class="end">${t('products.before')}</th>
        <th class="end">${t('products.after')}</th></tr></thead>
      <tbody>${prices.map((p) => html`<tr key=${p.id} class=${p.status}>
        <td>${p.variant && '↳ '}${p.title ?? collectionLabel('product-variants', 'one')}${p.status === 'refused' && html`<small>${told(p)}</small>`}</td>
        <td class="end"><${Money} amount=${p.from} currency=${currency} /></td><td class="end"><${Money} amount=${p.to} currency=${currency} /></td>
      </tr>`)}</tbody>
    </table></div>`;
}

/** @param {Adjusted} outcome */
const resultsOf = ({ prices }) => prices.map((p) => ({ id: p.id, name: p.title ?? '', ok: p.status !== 'refused', text: told(p) }));
