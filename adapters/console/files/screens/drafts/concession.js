// Something off for this order only: a code that works once, with the reason as its name.
import { html } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { api } from '../../base/shop.js';
import { fieldLabel, t } from '../../base/words.js';
import { NumberField, SelectField, TextField } from '../../parts/field.js';
import { FormDialog } from '../../parts/form.js';
import { someCode } from '../discounts/told.js';
import { amountIn, numberOf } from '../../base/amount.js';
import { goodsOf } from './find.js';

/** How long the code works, in milliseconds: a draft that becomes no order leaves one behind. */
const kept = 7 * 86_400_000;

/**
 * Concession makes a code of one use for the draft. The shop knows no price of a single order, and a code keeps who gave what, and why.
 * @param {{ lines: import('./store.js').Line[], currency: string, onClose: () => void, onMade: (code: string) => void }} props
 */
export function Concession({ lines, currency, onClose, onMade }) {
  const form = useForm({
    name: 'concession', keep: false, initial: { type: 'percentage', value: '', title: '', product: '' },
    send: async ({ value, title, product, type = 'percentage' }, { idempotencyKey }) => {
      const only = product ? { applicableProducts: [product] } : {};
      const endsAt = new Date(Date.now() + kept).toISOString();
      const discount = { code: someCode(), type, value: amountIn(value), title, currency, usageLimit: 1, endsAt, isActive: true, combinable: false, ...only };
      const { doc } = await api.collections.from('discounts').create(/** @type {any} */ (discount), { idempotencyKey });
      onMade(doc.code);
    },
  });
  const set = (/** @type {string} */ path) => (/** @type {any} */ v) => form.set(path, v);
  const products = new Map(lines.map((l) => goodsOf(l.variant)).flatMap((g) => (g ? [[g.productId, g.product]] : [])));
  const options = [...products].map(([value, label]) => ({ value, label }));
  const percent = form.values.type === 'percentage';
  return html`<${FormDialog} form=${form} id="concession" title=${t('drafts.giveOff')} action=${t('drafts.give')} onClose=${onClose}>
    <p class="help">${t('drafts.concessionText')}</p>
    <div class="two">
      <${NumberField} label=${fieldLabel('discounts', 'value')} unit=${percent ? '%' : currency} value=${form.values.value}
        error=${form.error('value')} required
        onInput=${(/** @type {string} */ v) => form.set('value', numberOf(v))} />
      <${SelectField} label=${t('drafts.concessionKind')} value=${form.values.type} onInput=${set('type')}
        options=${[{ value: 'percentage', label: '%' }, { value: 'fixed_amount', label: currency }]} />
    </div>
    <${SelectField} label=${t('drafts.concessionOn')} value=${form.values.product} empty=${t('drafts.wholeOrder')} options=${options}
      onInput=${set('product')} />
    <${TextField} label=${t('drafts.concessionWhy')} value=${form.values.title} error=${form.error('title')} required onInput=${set('title')} />
  <//>`;
}
