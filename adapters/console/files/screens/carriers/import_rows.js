// The rows of a carrier file, with what they do.
import { html, useState } from '../../vendor/ui.js';
import { href } from '../../base/route.js';
import { t } from '../../base/words.js';
import { Badge, Empty } from '../../parts/state.js';
import { Table } from '../../parts/table.js';

/** @typedef {import('./import.js').Report} Report */
/** @typedef {Report['rows'][number]} Row */

const tones = { applied: 'good', unchanged: 'over', skipped: 'neutral', refused: 'bad' };

/** whyOf says what a row does, in a sentence. @param {Row} row @param {boolean} done */
function whyOf(row, done) {
  if (row.status === 'refused') return row.message ?? '';
  if (row.status !== 'applied') return t(`carriers.row-${row.status}`);
  const part = row.left > 0 ? t('carriers.row-left', { n: row.left }) : '';
  return [t(done ? 'carriers.row-left-shop' : 'carriers.row-leaves', { n: row.quantity }), part].filter(Boolean).join(' ');
}

/** @param {{ row: Row, done: boolean }} props */
const Told = ({ row, done }) => html`<span class="told-row" title=${whyOf(row, done)}>
  <${Badge} tone=${tones[row.status]}>${t(done ? `carriers.did-${row.status}` : `carriers.will-${row.status}`)}<//>
  ${whyOf(row, done)} ${row.status === 'applied' && row.reason && html`<small>${row.message}</small>`}</span>`;

/** nameOf is what a row is about, as far as it says. @param {Row} r */
const nameOf = (r) => r.orderNumber ?? r.fulfillmentOrder?.slice(-8) ?? '—';

/** @type {(done: boolean) => import('../../parts/table.js').Column[]} */
const columnsOf = (done) => [
  { key: 'number', label: t('carriers.row'), width: '3.5rem', cell: (r) => r.row },
  { key: 'order', label: t('carriers.column-orderNumber'), width: 'minmax(7rem, 9rem)', cell: nameOf },
  { key: 'carrier', label: t('carriers.column-carrier'), width: '6.5rem', cell: (r) => r.carrier ?? '—' },
  { key: 'tracking', label: t('carriers.column-trackingNumber'), width: '9rem', cell: (r) => html`<code>${r.trackingNumber ?? '—'}</code>` },
  { key: 'told', label: t('carriers.what'), width: 'minmax(16rem, 4fr)', cell: (r) => html`<${Told} row=${r} done=${done} />` },
];

const nothing = () => undefined;

/** What the rows are narrowed down to. */
const choices = /** @type {const} */ (['all', 'applied', 'unchanged', 'skipped', 'refused']);

/** @param {{ rows: Row[], done: boolean }} props */
export function ImportRows({ rows, done }) {
  const [only, setOnly] = useState(/** @type {typeof choices[number]} */ (rows.some((r) => r.status === 'refused') ? 'refused' : 'all'));
  const count = (/** @type {string} */ choice) => rows.filter((r) => choice === 'all' || r.status === choice).length;
  const shown = rows.filter((r) => only === 'all' || r.status === only);
  /** @type {import('../../base/rows.js').Rows} */
  const held = {
    name: only, total: shown.length, row: (i) => shown[i] && /** @type {any} */ ({ ...shown[i], id: String(shown[i].row) }),
    all: () => /** @type {any} */ (shown),
    need: nothing, reload: nothing, stale: false, refusal: undefined,
  };
  const card = (/** @type {Row} */ r) => html`<span class="row-card"><b>${nameOf(r)}</b><code>${r.trackingNumber ?? '—'}</code>
    <${Told} row=${r} done=${done} /></span>`;
  return html`<div class="list">
    <div class="segments" role="group" aria-label=${t('carriers.narrow')}>${choices.filter((c) => c === 'all' || count(c) > 0).map(
      (choice) => html`<button type="button" key=${choice} aria-pressed=${only === choice} onClick=${() => setOnly(choice)}>
        ${t(choice === 'all' ? 'carriers.all' : done ? `carriers.did-${choice}` : `carriers.will-${choice}`)} ${count(choice)}</button>`,
    )}</div>
    <${Table} label=${t('carriers.import')} columns=${columnsOf(done)} rows=${held} card=${card} empty=${html`<${Empty} title=${t('carriers.noRows')} />`}
      link=${(/** @type {Row} */ r) => (r.order && r.fulfillmentOrder ? href(`/packing/${r.fulfillmentOrder}`) : undefined)} />
  </div>`;
}

/** What the shop reads of a file, by the names that it knows. */
const kept = /** @type {const} */ (['fulfillmentOrder', 'orderNumber', 'carrier', 'trackingNumber']);

/** badRowsFile is the rows that were refused, with the reason beside them: corrected, they can be imported. @param {Report} report */
export function badRowsFile({ rows }) {
  const lines = rows.filter((r) => r.status === 'refused').map((r) => [...kept.map((name) => r[name] ?? ''), r.message ?? '']);
  const text = [[...kept, t('carriers.reason')], ...lines].map((cells) => cells.map(quoted).join(',')).join('\r\n');
  // The mark at the beginning tells Excel that the text is UTF-8.
  return new Blob(['\uFEFF', text, '\r\n'], { type: 'text/csv' });
}

/** quoted is a cell of a CSV file; what a spreadsheet would calculate is marked as text. @param {string} cell */
const quoted = (cell) => `"${(/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell).replaceAll('"', '""')}"`;
