// One carrier batch: how far it is, its file and its papers, and what is taken out of it again.
import { html, useRoute, useState } from '../../vendor/ui.js';
import { number } from '../../base/format.js';
import { useShortcuts } from '../../base/keys.js';
import { useQuery } from '../../base/query.js';
import { href } from '../../base/route.js';
import { api, can } from '../../base/shop.js';
import { collectionLabel, optionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { confirm } from '../../parts/dialog.js';
import { keepFile, showFile } from '../../parts/file.js';
import { List } from '../../parts/list.js';
import { Menu } from '../../parts/menu.js';
import { Absent, Empty, Notice, Page } from '../../parts/state.js';
import { complain, tell } from '../../parts/toast.js';
import { Time } from '../../parts/value.js';
import { workCard, workCells, workColumns } from '../packing/rows.js';
import { oldest } from '../packing/work.js';

/** @typedef {import('../../vendor/sdk.js').OperatorAnswer<'GET /api/fulfillments/carrier-batches/{id}'>} Shown */

export default function BatchScreen() {
  const { id = '' } = useRoute().params;
  const read = (/** @type {AbortSignal} */ signal) => api.call('GET /api/fulfillments/carrier-batches/{id}', { id }, { signal });
  const { data, refusal, reload } = useQuery(`carrier batch ${id}`, read, { live: ['carrier-batches', 'fulfillment-orders'] });
  const back = { href: href('/carriers'), label: collectionLabel('carrier-batches') };
  if (!data) return html`<${Absent} title=${collectionLabel('carrier-batches', 'one')} back=${back} refusal=${refusal} again=${reload}
    gone=${t('carriers.gone')} />`;
  return html`<${Batch} key=${id} shown=${data} back=${back} reload=${reload} />`;
}

/** @param {{ shown: Shown, back: { href: string, label: string }, reload: () => void }} props */
function Batch({ shown: { carrierBatch: batch, progress }, back, reload }) {
  const title = t('carriers.batch', { n: batch.number });
  const waits = progress.open + progress.inProgress;
  const release = async (/** @type {string[] | undefined} */ ids, /** @type {() => void} */ done) => {
    const n = ids?.length ?? waits;
    if (!(await confirm({ title: t('carriers.release'), text: t('carriers.releaseText', { n }), action: t('carriers.release'), danger: true }))) return;
    try {
      await api.call('POST /api/fulfillments/carrier-batches/{batch}/release', { batch: batch.id, ...(ids && { ids }) });
      tell(t('carriers.released'));
      done();
    } catch (e) {
      complain(e);
    }
    reload();
  };
  const empty = html`<${Empty} icon="inbox" title=${t('carriers.nothingIn')} text=${t('carriers.nothingInText')} />`;
  const actions = (/** @type {Set<string>} */ ids, /** @type {() => void} */ clear) =>
    html`<${Button} icon="undo-2" onClick=${() => release([...ids], clear)}>${t('carriers.release')}<//>`;
  const carrier = batch.carrier ? optionLabel('carrier-batches', 'carrier', batch.carrier) : t('carriers.anyCarrier');
  const tools = html`<${BatchTools} batch=${batch} waits=${waits} release=${() => release(undefined, () => undefined)} />`;
  return html`<${Page} title=${title} class="full below" back=${back} top=${tools}>
    <p class="under">${carrier} · <${Time} at=${batch.createdAt} />${batch.note && ` · ${batch.note}`}</p>
    ${progress.changed > 0 && html`<${Notice} kind="warn">${t('carriers.changed', { n: progress.changed })}<//>`}
    <dl class="tally">${Object.entries({ ...progress, released: batch.released }).filter(([name]) => name !== 'changed').map(
      ([name, n]) => html`<div key=${name}><dt>${t(`carriers.is-${name}`)}</dt><dd>${number(n)}</dd></div>`,
    )}</dl>
    <${List} slug="fulfillment-orders" label=${title} link=${(/** @type {any} */ w) => href(`/packing/${w.id}`)} columns=${workColumns}
      cells=${workCells()} sort=${oldest} depth=${1} where=${{ carrierBatch: { equals: batch.id } }}
      find="order.orderNumber" live=${['orders', 'fulfillments']} card=${workCard} empty=${empty}
      actions=${can('orders:fulfill') ? actions : undefined} />
  <//>`;
}

/** @param {{ batch: Shown['carrierBatch'], waits: number, release: () => void }} props */
function BatchTools({ batch, waits, release }) {
  const [busy, setBusy] = useState(false);
  const { id } = batch;
  const download = async (/** @type {'csv' | 'xlsx'} */ format, /** @type {'all' | 'open'} */ rows) => {
    setBusy(true);
    await keepFile(api.file('GET /api/fulfillments/carrier-batches/{id}/file', { id, format, rows }), `carrier-batch-${batch.number}.${format}`);
    setBusy(false);
  };
  const print = (/** @type {'packingSlip' | 'label'} */ document) => void showFile(api.file('GET /api/fulfillments/prints', { carrierBatch: id, document }));
  const may = can('orders:fulfill') && waits > 0;
  useShortcuts([
    { keys: 'd', label: t('carriers.download'), run: () => void download('xlsx', 'open') },
    { keys: 's', label: t('packing.slips'), run: () => print('packingSlip') },
    { keys: 'l', label: t('packing.labels'), run: () => print('label') },
    ...(may ? [{ keys: 'z', label: t('carriers.releaseAll'), run: release }] : []),
  ]);
  const items = [
    { label: t('carriers.downloadCsv'), icon: 'download', run: () => void download('csv', 'open') },
    { label: t('carriers.downloadAll'), icon: 'download', run: () => void download('xlsx', 'all') },
    /** @type {const} */ ('line'),
    { label: t('packing.slips'), icon: 'printer', run: () => print('packingSlip') },
    { label: t('packing.labels'), icon: 'printer', run: () => print('label') },
    ...(may ? [/** @type {const} */ ('line'), { label: t('carriers.releaseAll'), icon: 'undo-2', danger: true, run: release }] : []),
  ];
  return html`<${Button} look="primary" icon="download" keys="d" busy=${busy} onClick=${() => download('xlsx', 'open')}>${t('carriers.download')}<//>
    <${Menu} label=${t('common.more')} items=${items} />`;
}
