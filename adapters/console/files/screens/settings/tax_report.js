// What was taken of each tax in a period, less what was given back.
import { html, useState } from '../../vendor/ui.js';
import { countryName, date, day, rate } from '../../base/format.js';
import { useQuery } from '../../base/query.js';
import { api } from '../../base/shop.js';
import { fieldLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { SelectField } from '../../parts/field.js';
import { keepFile } from '../../parts/file.js';
import { Card, Empty, Loading, Refused } from '../../parts/state.js';
import { Money } from '../../parts/value.js';

/** How many months the choices of periods begin before, and end before, the month of today. @type {Record<string, (month: number) => [number, number]>} */
const periods = {
  month: () => [0, 0],
  lastMonth: () => [1, 1],
  quarter: (month) => [month % 3, 0],
  lastQuarter: (month) => [month % 3 + 3, month % 3 + 1],
  year: (month) => [month, 0],
};

/**
 * spanOf is the first and the last day of a period; one that is not over ends today.
 * @param {string} period one of periods @param {string} today such as 2026-01-31
 */
export function spanOf(period, today) {
  const [year = 0, month = 1] = today.split('-').map(Number);
  const [begins, ends] = (periods[period] ?? periods['month'])(month - 1);
  const on = (/** @type {number} */ months, /** @type {number} */ of) => new Date(Date.UTC(year, month - 1 - months, of)).toISOString().slice(0, 10);
  return { from: on(begins, 1), to: ends === 0 ? today : on(ends - 1, 0) };
}

export function TaxReport() {
  const [period, setPeriod] = useState('month');
  const span = spanOf(period, day(new Date()));
  const read = (/** @type {AbortSignal} */ signal) => api.call('GET /api/reports/taxes', span, { signal });
  const { data, refusal, reload } = useQuery(`taxes ${span.from} ${span.to}`, read, { live: ['transactions'], pause: 3000 });
  const keep = () => void keepFile(api.file('GET /api/reports/taxes.csv', span), `taxes-${span.from}-${span.to}.csv`);
  const options = Object.keys(periods).map((value) => ({ value, label: t(`setup.period-${value}`) }));
  const top = html`<${Button} icon="download" onClick=${keep}>CSV<//>`;
  return html`<${Card} title=${t('setup.taxReport')} top=${top}>
    <${SelectField} label=${t('setup.period')} help=${`${date(span.from)} – ${date(span.to)}`} value=${period} options=${options} onInput=${setPeriod} />
    ${refusal ? html`<${Refused} refusal=${refusal} again=${reload} />` : !data && html`<${Loading} />`}
    ${data?.rows.length === 0 && html`<${Empty} icon="banknote" title=${t('setup.taxReportNone')} />`}
    ${data && data.rows.length > 0 && html`<div class="scroll" tabindex="0" role="region" aria-label=${t('setup.taxReport')}><table class="zones">
      <caption class="aside">${t('setup.taxReport')}</caption>
      <thead><tr><th scope="col">${fieldLabel('tax-rates', 'country')}</th><th scope="col">${fieldLabel('tax-rates', 'name')}</th><th scope="col" class="end">
        ${t('setup.taxTaken')}</th><th scope="col" class="end">${t('setup.taxBack')}</th><th scope="col" class="end">${t('setup.taxNet')}</th></tr></thead>
      <tbody>${data.rows.map((r, i) => html`<tr key=${i}><td>${r.country ? countryName(r.country) : '—'}</td>
        <th scope="row">${r.name} ${rate(r.percent ?? 0)}%</th>
        ${[r.tax, r.refundedTax, r.netTax].map((amount, n) => html`<td key=${n} class="end"><${Money} amount=${amount} currency=${r.currency} /></td>`)}</tr>`)}
      </tbody></table></div>`}
  <//>`;
}
