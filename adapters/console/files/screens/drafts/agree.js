// What was agreed for one line: a price, something off, and why.
import { html } from '../../vendor/ui.js';
import { amountIn, numberOf } from '../../base/amount.js';
import { money } from '../../base/format.js';
import { useForm } from '../../base/form.js';
import { fieldLabel, t } from '../../base/words.js';
import { NumberField, SelectField, TextField } from '../../parts/field.js';
import { FormDialog } from '../../parts/form.js';

/** @typedef {import('../../parts/terms.js').Terms} Terms */

/**
 * Agree edits the terms of a line of a draft.
 * @param {{ draft: import('./store.js').Draft, at: number, name: string, catalog: number | null | undefined, currency: string, onClose: () => void }} props
 */
export function Agree({ draft, at, name, catalog, currency, onClose }) {
  const before = draft.values?.lines ?? [];
  const is = before[at]?.terms;
  const path = `lines.${at}.terms`;
  const put = (/** @type {Terms | null} */ terms) => draft.change({ lines: before.map((l, i) => (i === at ? { ...l, terms } : l)) });
  const form = useForm({
    name: `terms ${path}`, keep: false,
    initial: {
      unitPrice: is?.unitPrice ?? '', kind: is?.discountAmount ? 'amount' : 'percent', off: is?.discountPercent ?? is?.discountAmount ?? '',
      reason: is?.reason ?? '',
    },
    send: async () => {
      const { unitPrice, kind, off, reason } = form.values;
      const given = (/** @type {any} */ v) => (v === '' || v === null ? null : amountIn(v));
      const terms = {
        unitPrice: given(unitPrice), discountAmount: kind === 'amount' ? given(off) : null, discountPercent: kind === 'percent' ? given(off) : null,
        reason: reason.trim() || null,
      };
      put(Object.values(terms).some((v) => v !== null) ? terms : null);
      try {
        await draft.keep();
      } catch (e) {
        draft.change({ lines: before });
        throw e;
      }
      onClose();
    },
  });
  const field = (/** @type {string} */ of) => fieldLabel('draft-orders', `lines.terms.${of}`);
  const { kind } = form.values;
  return html`<${FormDialog} form=${form} id="agree" title=${t('drafts.agree', { name })} onClose=${onClose}>
    <${NumberField} label=${field('unitPrice')} unit=${currency} value=${form.values.unitPrice} error=${form.error(`${path}.unitPrice`)}
      help=${(catalog ?? null) === null ? '' : t('drafts.catalogAsks', { price: money(catalog, currency) })}
      onInput=${(/** @type {string} */ v) => form.set('unitPrice', numberOf(v))} />
    <div class="two">
      <${NumberField} label=${t('drafts.discount')} help=${t('drafts.offHelp')} unit=${kind === 'percent' ? '%' : currency} value=${form.values.off}
        error=${form.error(`${path}.discountAmount`) ?? form.error(`${path}.discountPercent`)}
        onInput=${(/** @type {string} */ v) => form.set('off', numberOf(v))} />
      <${SelectField} label=${t('drafts.concessionKind')} value=${kind} onInput=${(/** @type {string} */ v) => form.set('kind', v)}
        options=${[{ value: 'percent', label: '%' }, { value: 'amount', label: currency }]} />
    </div>
    <${TextField} label=${field('reason')} help=${t('drafts.agreeWhy')} maxLength=${300} ...${form.input('reason')} error=${form.error(`${path}.reason`)} />
  <//>`;
}
