// Files that were made of lists.
import { html } from '../../vendor/ui.js';
import { bytes } from '../../base/format.js';
import { download } from '../../base/job.js';
import { href, screenOf } from '../../base/route.js';
import { optionLabel, t } from '../../base/words.js';
import { useAttempt } from '../../parts/acts.js';
import { Button } from '../../parts/button.js';
import { List } from '../../parts/list.js';
import { Progress } from '../../parts/progress.js';
import { Empty } from '../../parts/state.js';
import { Time } from '../../parts/value.js';
import { JobCard, Transfers } from './parts.js';

/** @type {Record<string, Partial<import('../../parts/table.js').Column>>} */
const cells = {
  kind: { cell: (e) => optionLabel('exports', 'kind', e.kind), width: 'minmax(8rem, 12rem)' },
  status: { cell: (e) => html`<${Progress} slug="exports" job=${e} small />`, width: 'minmax(9rem, 18rem)' },
  createdAt: { cell: (e) => html`<${Time} at=${e.createdAt} relative />` },
  format: { cell: (e) => e.format.toUpperCase(), width: '7rem' },
  fileSize: { cell: (e) => bytes(e.fileSize), align: 'end', width: '8rem' },
  url: { cell: (e) => (e.url ? html`<${Get} job=${e} />` : ''), width: '8rem' },
};

const card = (/** @type {any} */ e) => html`<${JobCard} slug="exports" job=${e} />`;

export default function Exports() {
  const empty = html`<${Empty} icon="download" title=${t('transfers.noExports')} text=${t('transfers.noExportsText')}
    action=${html`<${Button} href=${href('/orders')}>${t('transfers.toOrders')}<//>`} />`;
  return html`<${Transfers} at="exports"><${List} slug="exports" label=${t('transfers.exports')}
    link=${(/** @type {any} */ e) => href(screenOf('exports', e.id))}
    columns=${Object.keys(cells)} cells=${{ ...cells, url: { ...cells.url, label: t('transfers.file') } }} card=${card} empty=${empty} /><//>`;
}

/** Get saves the file of an export. @param {{ job: import('../../base/job.js').Export }} props */
function Get({ job }) {
  const [busy, attempt] = useAttempt();
  return html`<span class="over"><${Button} look="quiet" icon="download" busy=${busy} onClick=${() => attempt(() => download(job))}>${t('list.download')}<//></span>`;
}
