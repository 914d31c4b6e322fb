// Tracking numbers come back from a carrier: what each row will do is shown, then it is done, then it is told what each row did.
import { html, useRef, useState } from '../../vendor/ui.js';
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
import { entriesOf } from './columns.js';
import { FilePick } from './file_pick.js';
import { ImportRows, badRowsFile } from './import_rows.js';
import { planOf } from './plan.js';
import { outcomesOf } from './outcome.js';
import { readSheet } from './sheet.js';

/** @typedef {import('./plan.js').PlannedRow} PlannedRow */
/** @typedef {import('./outcome.js').Outcome} Outcome */

/**
 * @typedef {object} Chosen a file and what its rows will do, or did
 * @property {File} file
 * @property {string[]} head
 * @property {PlannedRow[]} rows
 * @property {string} key the import of this file is the same operation, however often it is sent
 * @property {Outcome} [outcome]
 */

/** Rows that are looked up before an import. */
const most = 10_000;

export default function ImportScreen() {
  const [chosen, setChosen] = useState(/** @type {Chosen | null} */ (null));
  const [busy, setBusy] = useState('');
  const [problem, setProblem] = useState(/** @type {import('../../base/refusal.js').Refusal | null} */ (null));
  const stop = useRef(new AbortController());
  /** attempt does a step, and says what was refused. @param {string} name @param {() => Promise<void>} step */
  const attempt = async (name, step) => {
    setBusy(name);
    setProblem(null);
    try {
      await step();
    } catch (e) {
      setProblem(e instanceof Unreadable ? { ...nothingRead, text: e.message, alone: e.message } : refusalOf(e));
    }
    setBusy('');
  };
  const choose = (/** @type {File} */ file) => attempt('read', async () => {
    setChosen(null);
    const { head, entries } = await read(file);
    setChosen({ file, head, rows: await planOf(entries, stop.current.signal), key: createCommerceIdempotencyKey() });
  });
  const apply = () => chosen && attempt('apply', async () => {
    const { file, rows, key } = chosen;
    const report = await api.upload('/api/fulfillments/carrier-file', { file, filename: file.name }, { idempotencyKey: key });
    // What is told of a row is read back from the shop, and not taken from what was expected.
    setChosen({ ...chosen, ...outcomesOf(report, rows, await planOf(rows, stop.current.signal)) });
  });
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

/** What cannot be read, in words for people. */
class Unreadable extends Error {}

const nothingRead = { text: '', fields: {}, alone: '', reason: 'sheet_unreadable', id: undefined, again: false, unknown: false, facts: {} };

/** read is the entries of a file. Errors: Unreadable. @param {File} file */
async function read(file) {
  const sheet = await readSheet(file).catch((e) => {
    console.info(e);
    throw new Unreadable(t('carriers.unreadable', { name: file.name }));
  });
  const { head, entries, missing } = entriesOf(sheet);
  if (missing) throw new Unreadable(t('carriers.noColumn', { name: t(`carriers.column-${missing}`) }));
  if (entries.length > most) throw new Unreadable(t('carriers.tooLong', { n: most }));
  return { head, entries };
}

/** @param {{ chosen: Chosen, busy: boolean, apply: () => void, again: () => void }} props */
function Review({ chosen: { file, head, rows, outcome }, busy, apply, again }) {
  const count = (/** @type {string} */ verdict) => rows.filter((r) => r.verdict === verdict).length;
  const [ships, bad] = [count('ships'), count('bad')];
  const may = !outcome && ships > 0 && !busy;
  useShortcuts([
    ...(may ? [{ keys: 'mod+Enter', label: t('carriers.apply', { n: ships }), everywhere: true, run: apply }] : []),
    ...(bad > 0 ? [{ keys: 'd', label: t('carriers.keepBad', { n: bad }), run: () => keepBad() }] : []),
  ]);
  const keepBad = () => void keepFile(Promise.resolve(badRowsFile(head, rows)), file.name.replace(/\.\w+$/, '') + '-refused.csv');
  return html`<${Card} class="import-sum">
      <p><b>${file.name}</b> · ${t('carriers.rows', { n: rows.length })}</p>
      <dl class="tally">${/** @type {const} */ (['ships', 'same', 'skip', 'bad']).map((verdict) => html`<div key=${verdict} class=${`is-${verdict}`}>
        <dt>${t(outcome ? `carriers.did-${verdict}` : `carriers.will-${verdict}`)}</dt><dd>${number(count(verdict))}</dd></div>`)}</dl>
      ${!outcome && html`<p>${t(ships > 0 ? 'carriers.before' : 'carriers.nothingShips')}</p>`}
      ${outcome &&
      html`<${Notice} kind=${bad > 0 || outcome.doubt ? 'warn' : 'good'}>${t('carriers.after', { n: outcome.applied })}
        ${' '}${bad > 0 && t('carriers.afterBad', { n: bad })}<//>`}
      ${outcome?.doubt && html`<${Notice} kind="bad">${t('carriers.doubt')}<//>`}
      <div class="buttons">
        ${bad > 0 && html`<${Button} icon="download" onClick=${keepBad}>${t('carriers.keepBad', { n: bad })}<//>`}
        <${Button} disabled=${busy} onClick=${again}>${t('carriers.other')}<//>
        ${!outcome && html`<${Button} look="primary" icon="truck" keys="mod+Enter" busy=${busy} disabled=${ships === 0} onClick=${apply}>
          ${t('carriers.apply', { n: ships })}<//>`}
      </div>
    <//>
    <${ImportRows} rows=${rows} done=${outcome !== undefined} />`;
}
