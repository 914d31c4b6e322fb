// Tracking numbers come back from a carrier: what each row will do is shown, then it is done, then it is told what each row did. Both
// are answers of the shop.
import { html, useState } from '../../vendor/ui.js';
import { createCommerceIdempotencyKey } from '../../vendor/sdk.js';
import { number } from '../../base/format.js';
import { useShortcuts } from '../../base/keys.js';
import { href } from '../../base/route.js';
import { refusalOf } from '../../base/refusal.js';
import { api, can } from '../../base/shop.js';
import { collectionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { Card, Empty, Loading, Notice, Page, Refused } from '../../parts/state.js';
import { keepFile } from '../../parts/file.js';
import { FilePick } from './file_pick.js';
import { ImportRows, badRowsFile } from './import_rows.js';

/** @typedef {import('../../vendor/sdk.js').OperatorAnswer<'POST /api/fulfillments/carrier-file'>} Report */
/** @typedef {{ file: File, report: Report, key: string }} Chosen the import of a file is the same operation, however often it is sent */

/** @param {File} file @param {boolean} dryRun @param {object} [options] @returns {Promise<Report>} */
const send = (file, dryRun, options) =>
  api.upload('/api/fulfillments/carrier-file', { file, filename: file.name, ...(dryRun && { dryRun }) }, options);

export default function ImportScreen() {
  const [chosen, setChosen] = useState(/** @type {Chosen | null} */ (null));
  const [busy, setBusy] = useState('');
  const [problem, setProblem] = useState(/** @type {import('../../base/refusal.js').Refusal | null} */ (null));
  /** attempt does a step, and says what was refused. @param {string} name @param {() => Promise<Chosen>} step */
  const attempt = async (name, step) => {
    setBusy(name);
    setProblem(null);
    try {
      setChosen(await step());
    } catch (e) {
      setProblem(refusalOf(e));
    }
    setBusy('');
  };
  const choose = (/** @type {File} */ file) => attempt('read', async () => ({ file, report: await send(file, true), key: createCommerceIdempotencyKey() }));
  const apply = () => chosen && attempt('apply', async () => ({ ...chosen, report: await send(chosen.file, false, { idempotencyKey: chosen.key }) }));
  const again = () => {
    setChosen(null);
    setProblem(null);
  };
  const back = { href: href('/carriers'), label: collectionLabel('carrier-batches') };
  if (!can('orders:fulfill')) return html`<${Page} title=${t('carriers.import')} back=${back}><${Empty} icon="lock" title=${t('common.notYours')} /><//>`;
  return html`<${Page} title=${t('carriers.import')} class=${chosen ? 'full below' : ''} back=${back}>
    ${problem && html`<${Refused} refusal=${problem} />`}
    ${!chosen && busy !== 'read' && html`<${FilePick} onFile=${choose} />`}
    ${busy === 'read' && html`<${Loading} lines=${8} />`}
    ${chosen && html`<${Review} ...${{ chosen, busy: busy === 'apply', apply, again }} />`}
  <//>`;
}

/** keepBadLabel says how many of the bad rows can be kept: a report does not list all rows of a long file. @param {Report} report @param {number} bad */
export function keepBadLabel({ rows }, bad) {
  const n = rows.filter((r) => r.status === 'refused').length;
  return n < bad ? t('carriers.keepSomeBad', { n, all: bad }) : t('carriers.keepBad', { n });
}

/** @param {{ chosen: Chosen, busy: boolean, apply: () => void, again: () => void }} props */
function Review({ chosen: { file, report }, busy, apply, again }) {
  const counts = { applied: report.applied, unchanged: report.unchanged, skipped: report.skipped, refused: report.errors.length + report.moreErrors };
  const { applied: ships, refused: bad } = counts;
  const keepLabel = keepBadLabel(report, bad);
  const done = !report.dryRun;
  const may = !done && ships > 0 && !busy;
  useShortcuts([
    ...(may ? [{ keys: 'mod+Enter', label: t('carriers.apply', { n: ships }), everywhere: true, run: apply }] : []),
    ...(bad > 0 ? [{ keys: 'd', label: keepLabel, run: () => keepBad() }] : []),
  ]);
  const keepBad = () => void keepFile(Promise.resolve(badRowsFile(report)), file.name.replace(/\.\w+$/, '') + '-refused.csv');
  return html`<${Card} class="import-sum">
      <p><b>${file.name}</b> · ${t('carriers.rows', { n: report.rows.length + report.moreRows })}</p>
      <dl class="tally">${Object.entries(counts).map(([status, n]) => html`<div key=${status} class=${`is-${status}`}>
        <dt>${t(done ? `carriers.did-${status}` : `carriers.will-${status}`)}</dt><dd>${number(n)}</dd></div>`)}</dl>
      ${!done && html`<p>${t(ships > 0 ? 'carriers.before' : 'carriers.nothingShips')}</p>`}
      ${done && html`<${Notice} kind=${bad > 0 ? 'warn' : 'good'}>${t('carriers.after', { n: ships })} ${bad > 0 && t('carriers.afterBad', { n: bad })}<//>`}
      ${report.moreRows > 0 && html`<${Notice}>${t('carriers.firstRows', { n: report.rows.length })}<//>`}
      <div class="buttons">
        ${bad > 0 && html`<${Button} icon="download" onClick=${keepBad}>${keepLabel}<//>`}
        <${Button} disabled=${busy} onClick=${again}>${t('carriers.other')}<//>
        ${!done && html`<${Button} look="primary" icon="truck" keys="mod+Enter" busy=${busy} disabled=${ships === 0} onClick=${apply}>
          ${t('carriers.apply', { n: ships })}<//>`}
      </div>
    <//>
    <${ImportRows} rows=${report.rows} done=${done} />`;
}
