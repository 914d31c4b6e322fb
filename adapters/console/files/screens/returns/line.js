import { html } from '../../vendor/ui.js';
import { money } from '../../base/format.js';
import { fieldLabel, t } from '../../base/words.js';
import { CheckField, NumberField, TextField } from '../../parts/field.js';

/** @typedef {import('../../vendor/sdk.js').Order} Order */

/**
 * ReturnLine is how many units of a line come back. What else there is to say shows once some do.
 * @param {{ line: Order['lines'][number], form: import('../../base/form.js').Form, currency: string, index: number,
 *   of: import('./new.js').Returnable['lines'][number] | undefined }} props index: of the line in what is sent; -1 if it is not
 */
export function ReturnLine({ line, form, currency, of, index }) {
  const at = `lines.${line.id}`;
  const remaining = of?.remaining ?? 0;
  const label = (/** @type {string} */ name) => fieldLabel('return-requests', `lines.${name}`);
  const input = (/** @type {string} */ name) => ({
    value: form.get(`${at}.${name}`) ?? '', error: form.error(`lines.${index}.${name}`), onInput: (/** @type {any} */ v) => form.set(`${at}.${name}`, v),
  });
  const told = remaining === 0 ? t('returns.noneLeft') : t('returns.leftOf', { n: remaining, of: of?.ordered ?? 0, each: money(of?.unitRefund, currency) });
  return html`<div class="return-line">
    <span><b>${line.title}</b><small>${[line.variantTitle, line.sku].filter(Boolean).join(' · ')}</small><small>${told}</small></span>
    <${NumberField} label=${t('returns.unitsOf', { name: line.title })} hideLabel unit=${`/ ${remaining}`} disabled=${remaining === 0}
      ...${input('quantity')} />
    ${index >= 0 && html`<div class="return-more">
      <${TextField} label=${label('reason')} ...${input('reason')} />
      <${NumberField} label=${label('restockingFee')} unit=${currency} ...${input('restockingFee')} />
      ${line.stockTaken !== false && html`<${CheckField} ...${input('restock')} label=${label('restock')} value=${form.get(`${at}.restock`) ?? true} />`}
    </div>`}
  </div>`;
}
