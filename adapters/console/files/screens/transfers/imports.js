// Files whose rows were brought in, or tried.
import { html } from '../../vendor/ui.js';
import { number } from '../../base/format.js';
import { href, screenOf } from '../../base/route.js';
import { optionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { List } from '../../parts/list.js';
import { Progress } from '../../parts/progress.js';
import { Badge, Empty } from '../../parts/state.js';
import { Time } from '../../parts/value.js';
import { JobCard, Transfers, mayImport } from './parts.js';

/** @type {Record<string, Partial<import('../../parts/table.js').Column>>} */
const cells = {
  fileName: { cell: (i) => i.fileName ?? optionLabel('imports', 'kind', i.kind), width: 'minmax(10rem, 1.5fr)' },
  kind: { cell: (i) => optionLabel('imports', 'kind', i.kind), width: '7rem' },
  dryRun: { cell: (i) => (i.dryRun ? html`<${Badge} tone="info">${t('transfers.trial')}<//>` : ''), width: '6rem' },
  status: { cell: (i) => html`<${Progress} slug="imports" job=${i} small />`, width: 'minmax(9rem, 18rem)' },
  applied: { cell: (i) => number(i.applied), align: 'end', width: '7rem' },
  unchanged: { cell: (i) => number(i.unchanged), align: 'end', width: '7rem' },
  rejected: { cell: (i) => html`<span class=${i.rejected > 0 ? 'bad' : ''}>${number(i.rejected)}</span>`, align: 'end', width: '7rem' },
  createdAt: { cell: (i) => html`<${Time} at=${i.createdAt} relative />`, width: '9rem' },
};

const card = (/** @type {any} */ i) => html`<${JobCard} slug="imports" job=${i} />`;

export default function Imports() {
  const action = mayImport() && html`<${Button} look="primary" href=${href('/transfers/new')}>${t('transfers.start')}<//>`;
  const empty = html`<${Empty} icon="upload" title=${t('transfers.noImports')} text=${t('transfers.noImportsText')} action=${action} />`;
  return html`<${Transfers} at="imports"><${List} slug="imports" label=${t('transfers.imports')}
    link=${(/** @type {any} */ i) => href(screenOf('imports', i.id))}
    columns=${Object.keys(cells)} cells=${cells} card=${card} empty=${empty} /><//>`;
}
