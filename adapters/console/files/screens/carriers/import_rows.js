// The rows of a carrier file, with what they do.
import { html, useState } from '../../vendor/ui.js';
import { href } from '../../base/route.js';
import { t } from '../../base/words.js';
import { Badge, Empty } from '../../parts/state.js';
import { Table } from '../../parts/table.js';
import { buyerOf } from '../packing/work.js';

/** @typedef {import('./plan.js').PlannedRow & { said?: string }} Row */

const tones = { ships: 'good', same: 'over', skip: 'neutral', bad: 'bad' };

/** whyOf says what a row does, in a sentence. @param {Row} row */
const whyOf = (row) => t(`carriers.row-${row.why}`, { n: row.units, counts: row.counts, name: row.carrier });

/** @param {{ row: Row, done: boolean }} props */
const Told = ({ row, done }) => html`<span class="told-row" title=${row.said ?? whyOf(row)}>
  <${Badge} tone=${tones[row.verdict]}>${t(done ? `carriers.did-${row.verdict}` : `carriers.will-${row.verdict}`)}<//>
  ${row.why === 'refused' ? row.said : whyOf(row)} ${row.verdict === 'ships' && row.said && html`<small>${row.said}</small>`}</span>`;

/** nameOf is what a row is about, as far as it says. @param {Row} r */
const nameOf = (r) => r.order?.orderNumber ?? (r.orderNumber || r.fulfillmentOrder.slice(-8) || '—');

/** @type {(done: boolean) => import('../../parts/table.js').Column[]} */
const columnsOf = (done) => [
  { key: 'number', label: t('carriers.row'), width: '3.5rem', cell: (r) => r.number },
  { key: 'order', label: t('carriers.column-orderNumber'), width: 'minmax(7rem, 9rem)', cell: nameOf },
  { key: 'to', label: t('carriers.recipient'), width: 'minmax(4.5rem, 0.6fr)', cell: (r) => (r.order ? buyerOf(r.order) : '—') },
  { key: 'carrier', label: t('carriers.column-carrier'), width: '6.5rem', cell: (r) => r.carrier || '—' },
  { key: 'tracking', label: t('carriers.column-trackingNumber'), width: '8.5rem', cell: (r) => html`<code>${r.trackingNumber || '—'}</code>` },
  { key: 'told', label: t('carriers.what'), width: 'minmax(16rem, 4fr)', cell: (r) => html`<${Told} row=${r} done=${done} />` },
];

const nothing = () => undefined;

/** What the rows are narrowed down to. */
const choices = /** @type {const} */ (['all', 'ships', 'same', 'skip', 'bad']);

/** @param {{ rows: Row[], done: boolean }} props */
export function ImportRows({ rows, done }) {
  const [only, setOnly] = useState(/** @type {typeof choices[number]} */ (rows.some((r) => r.verdict === 'bad') ? 'bad' : 'all'));
  const count = (/** @type {string} */ choice) => rows.filter((r) => choice === 'all' || r.verdict === choice).length;
  const shown = rows.filter((r) => only === 'all' || r.verdict === only);
  /** @type {import('../../base/rows.js').Rows} */
  const held = { name: only, total: shown.length, row: (i) => shown[i], all: () => shown, need: nothing, reload: nothing, stale: false, refusal: undefined };
  const card = (/** @type {Row} */ r) => html`<span class="row-card"><b>${nameOf(r)}</b><code>${r.trackingNumber || '—'}</code>
    <${Told} row=${r} done=${done} /></span>`;
  return html`<div class="list">
    <div class="segments" role="group" aria-label=${t('carriers.narrow')}>${choices.filter((c) => c === 'all' || count(c) > 0).map(
      (choice) => html`<button type="button" key=${choice} aria-pressed=${only === choice} onClick=${() => setOnly(choice)}>
        ${t(choice === 'all' ? 'carriers.all' : done ? `carriers.did-${choice}` : `carriers.will-${choice}`)} ${count(choice)}</button>`,
    )}</div>
    <${Table} label=${t('carriers.import')} columns=${columnsOf(done)} rows=${held} card=${card}
      empty=${html`<${Empty} title=${t('carriers.noRows')} />`} link=${(/** @type {Row} */ r) => (r.work ? href(`/packing/${r.work}`) : undefined)} />
  </div>`;
}

/**
 * badRowsFile is the rows that were refused as they stand in the file, with the reason beside them: corrected, they can be imported.
 * @param {string[]} head
 * @param {Row[]} rows
 */
export function badRowsFile(head, rows) {
  const reason = (/** @type {Row} */ r) => [r.why === 'refused' ? '' : whyOf(r), r.said].filter(Boolean).join(' ');
  const lines = rows.filter((r) => r.verdict === 'bad').map((r) => [...head.map((_, i) => r.cells[i] ?? ''), reason(r)]);
  const text = [[...head, t('carriers.reason')], ...lines].map((cells) => cells.map(quoted).join(',')).join('\r\n');
  // The mark at the beginning tells Excel that the text is UTF-8.
  return new Blob(['\uFEFF', text, '\r\n'], { type: 'text/csv' });
}

/** quoted is a cell of a CSV file; what a spreadsheet would calculate is marked as text. @param {string} cell */
const quoted = (cell) => `"${(/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell).replaceAll('"', '""')}"`;
