// What became of the rows of an import, or would, one by one.
import { html, useEffect, useState } from '../../vendor/ui.js';
import { number } from '../../base/format.js';
import { useMore } from '../../base/more.js';
import { href, screenOf } from '../../base/route.js';
import { api } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { Badge, Empty, Refused } from '../../parts/state.js';
import { tone } from '../../parts/tones.js';

/** @typedef {import('../../base/job.js').Import} Import */
/** @typedef {import('../../vendor/sdk.js').OperatorAnswer<'GET /api/imports/{id}/rows'>['rows'][number]} Row */

const outcomes = /** @type {const} */ (['rejected', 'applied', 'unchanged']);

/** @param {{ job: Import }} props */
export function Rows({ job }) {
  const [status, setStatus] = useState(/** @type {(typeof outcomes)[number] | ''} */ (''));
  const shown = status || (job.rejected > 0 ? 'rejected' : 'applied');
  /** @param {number | null} after @param {AbortSignal} signal */
  const read = async (after, signal) => {
    const page = await api.call('GET /api/imports/{id}/rows', { id: job.id, status: shown, limit: 100, ...(after !== null && { after }) }, { signal });
    return { docs: page.rows, next: page.next };
  };
  const { docs: rows = [], next, further, refusal, busy, reload, more } = useMore(`rows ${job.id} ${shown}`, read);
  // Who has read on is not thrown back while more rows are done.
  const following = further ? 0 : job.handled;
  useEffect(reload, [following]);
  return html`<div class="segments" role="group" aria-label=${t('transfers.rows')}>
      ${outcomes.map((o) => html`<button type="button" aria-pressed=${o === shown}
        onClick=${() => setStatus(o)}>${t(`transfers.row-${o}`)} <b>${number(job[o])}</b></button>`)}
    </div>
    ${refusal && html`<${Refused} refusal=${refusal} again=${reload} />`}
    ${rows.length === 0 && !refusal && html`<${Empty} icon="list" title=${t('transfers.noRows')} />`}
    ${rows.length > 0 && html`<div class="scroll"><table class="job-rows"><thead><tr>
        ${[t('transfers.row'), t('transfers.outcome'), t('transfers.why'), t('transfers.record')].map((name) => html`<th scope="col">${name}</th>`)}
      </tr></thead><tbody>${rows.map((row) => html`<${Line} key=${row.row} job=${job} row=${row} />`)}</tbody></table></div>`}
    ${next !== null && html`<div><${Button} busy=${busy} onClick=${more}>${t('common.more')}<//></div>`}`;
}

/** @param {{ job: Import, row: Row }} props */
function Line({ job, row }) {
  const there = row.record && !job.dryRun && row.status !== 'rejected';
  return html`<tr>
    <th scope="row">${number(row.row)}</th>
    <td><${Badge} tone=${tone(row.status)}>${t(`transfers.row-${row.status}`)}<//></td>
    <td>${row.errors.map((e) => html`<p key=${e.code + e.column}>${e.column && html`<code>${e.column}</code> `}${e.message}</p>`)}</td>
    <td>${there && html`<a href=${href(screenOf(job.collection, row.record ?? ''))}>${t('transfers.open')}</a>`}</td>
  </tr>`;
}
