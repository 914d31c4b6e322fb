// How far a return is, step by step.
import { html } from '../../vendor/ui.js';
import { t } from '../../base/words.js';
import { Icon } from '../../parts/icon.js';
import { Time } from '../../parts/value.js';

/** @param {{ request: import('./return.js').Return }} props */
export function Steps({ request }) {
  const { status, createdAt, approvedAt, receivedAt, refundedAt } = request;
  const ended = status === 'rejected' || status === 'canceled';
  const all = [['requested', createdAt], ['approved', approvedAt], ['received', receivedAt], ['refunded', refundedAt]];
  const next = all.findIndex(([, at]) => !at);
  // Goods that need not come back are refunded without having been received.
  const steps = ended ? all.filter(([, at]) => at) : status === 'refunded' ? all.filter(([, at]) => at) : all;
  return html`<ol class="return-steps" aria-label=${t('returns.steps')}>
    ${steps.map(([name, at]) => html`<li key=${name} class=${at ? 'done' : ''} aria-current=${!ended && all[next]?.[0] === name ? 'step' : undefined}>
      <${Icon} name=${at ? 'circle-check' : 'circle'} /><span>${t(`returns.step-${name}`)}</span>${at && html`<small><${Time} at=${at} relative /></small>`}
    </li>`)}
    ${ended && html`<li class="ended" aria-current="step"><${Icon} name="ban" /><span>${t(`returns.step-${status}`)}</span></li>`}
  </ol>`;
}
