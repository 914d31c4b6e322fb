// The goods of a return arrive: how many of each line, in which condition, and whether they can be sold again.
import { html } from '../../vendor/ui.js';
import { numberOf } from '../../base/amount.js';
import { fieldLabel, optionLabel, t } from '../../base/words.js';
import { CheckField, NumberField, SelectField } from '../../parts/field.js';
import { FormDialog } from '../../parts/form.js';
import { Outcome, useOutcome } from '../orders/outcome.js';
import { arrivals } from './arrivals.js';
import { useStep } from './step.js';
import { Sums, titles } from './sums.js';

const conditions = ['as_new', 'opened', 'damaged', 'missing'];

/** Receive says what is here. @param {import('./actions.js').DialogProps} props */
export function Receive(props) {
  const { request, order } = props.data;
  const { id, revision, lines, currency } = request;
  const form = useStep('receive', props, { lines: {} }, (typed) => ({ lines: arrivals(typed.lines, lines) }));
  const arrived = arrivals(form.values.lines, lines);
  const of = useOutcome(form, 'POST /api/return-requests/{id}/receive', { id, lines: arrived, expectedRevision: revision });
  const titleOf = titles(order);
  return html`<${FormDialog} form=${form} id="receive" title=${t('returns.do-receive')} action=${t('returns.do-receive')} ready=${of.ready}
    onClose=${props.onClose}>
    <p>${t('returns.receiveText')}</p>
    ${lines.map((l) => {
      const at = `lines.${l.orderLine}`;
      const sent = arrived.findIndex((a) => a.orderLine === l.orderLine);
      const error = (/** @type {string} */ name) => form.error(`lines.${sent}.${name}`) ?? of.refusal?.fields[`lines.${sent}.${name}`];
      const stock = order?.lines.find((o) => o.id === l.orderLine)?.stockTaken;
      return html`<fieldset class="return-line arrival" key=${l.orderLine}><legend>${titleOf(l.orderLine)}</legend>
        <${NumberField} label=${t('returns.count')} unit=${`/ ${l.quantity}`} value=${form.get(`${at}.quantity`) ?? l.quantity} error=${error('quantity')}
          onInput=${(/** @type {string} */ v) => form.set(`${at}.quantity`, numberOf(v) ?? '')} />
        <${SelectField} label=${fieldLabel('return-requests', 'lines.condition')} value=${form.get(`${at}.condition`) ?? ''} error=${error('condition')}
          empty=${t('returns.asAsked')} options=${conditions.map((value) => ({ value, label: optionLabel('return-requests', 'lines.condition', value) }))}
          onInput=${(/** @type {string} */ v) => form.set(`${at}.condition`, v)} />
        ${stock !== false && html`<${CheckField} label=${t('returns.restock')} error=${error('restock')}
          onInput=${(/** @type {boolean} */ v) => form.set(`${at}.restock`, v)}
          value=${form.get(`${at}.restock`) ?? (['', 'as_new'].includes(form.get(`${at}.condition`) ?? '') && Boolean(l.restock))} />`}
      </fieldset>`;
    })}
    <${Outcome} form=${form} of=${of} lines=${order?.lines} />
    ${of.preview && html`<${Sums} amounts=${{ ...of.preview.receipt, currency }} titleOf=${titleOf} class="preview" />`}
  <//>`;
}
