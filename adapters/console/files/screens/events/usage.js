// How much of its plan the shop uses.
import { html } from '../../vendor/ui.js';
import { date, number, time } from '../../base/format.js';
import { useQuery } from '../../base/query.js';
import { api } from '../../base/shop.js';
import { optionLabel, t } from '../../base/words.js';
import { Bars } from '../../parts/bars.js';
import { Card, Loading, Notice, Page, Refused } from '../../parts/state.js';

export default function Usage() {
  const { data, refusal, reload } = useQuery('usage', (signal) => api.call('GET /api/usage', {}, { signal }));
  return html`<${Page} title=${t('shell.usage')}>
    ${refusal && html`<${Refused} refusal=${refusal} again=${reload} />`}
    ${!data && !refusal && html`<${Loading} lines=${6} />`}
    ${data && html`<${Month} usage=${data} />`}
  <//>`;
}

/** @param {{ usage: import('../../vendor/sdk.js').OperatorAnswer<'GET /api/usage'> }} props */
function Month({ usage }) {
  const { used, limit, remaining, plan, resetAt, daily } = usage;
  const scarce = limit !== null && used > limit * 0.8;
  // Days are counted in UTC, so they are shown as they are called.
  const bars = daily.map((d) => ({ label: date(d.date, 'short'), value: d.calls, told: number(d.calls) }));
  const figure = (/** @type {string} */ label, /** @type {string} */ value) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
  return html`${scarce && html`<${Notice} kind="warn">${t(remaining === 0 ? 'events.usedUp' : 'events.scarce')} ${time(resetAt)}<//>`}
    <${Card} title=${t('events.calls')}>
      <dl class="figures">
        ${figure(t('events.used'), number(used))}
        ${figure(t('events.left'), remaining === null ? t('events.unlimited') : number(remaining))}
        ${figure(t('events.plan'), optionLabel('tenants', 'plan', plan))}
        ${figure(t('events.resets'), time(resetAt, 'day'))}
      </dl>
      ${limit !== null && html`<progress class="whole-line" max=${limit} value=${used} aria-label=${t('list.handled', { n: used, total: limit })}></progress>`}
      <${Bars} label=${t('events.perDay')} bars=${bars} />
      <p class="help">${t('events.whatCounts')}</p>
    <//>`;
}
