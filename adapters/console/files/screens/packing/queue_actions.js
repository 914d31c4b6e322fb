// What can be done with many fulfillment orders at once: print their papers, give them to a carrier.
import { html, useState } from '../../vendor/ui.js';
import { go } from '../../base/route.js';
import { api, can } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { showFile } from '../../parts/file.js';
import { complain, tell } from '../../parts/toast.js';

/** @param {{ ids: Set<string>, onDone: () => void }} props */
export function QueueActions({ ids, onDone }) {
  const [busy, setBusy] = useState('');
  const print = async (/** @type {'packingSlip' | 'label'} */ document) => {
    setBusy(document);
    await showFile(api.file('GET /api/fulfillments/prints', { fulfillmentOrders: [...ids].join(), document }));
    setBusy('');
  };
  const batch = async () => {
    setBusy('batch');
    try {
      const { carrierBatch } = await api.call('POST /api/fulfillments/carrier-batches', { ids: [...ids] });
      tell(t('packing.batched', { n: carrierBatch.number }));
      onDone();
      go(`/carriers/${carrierBatch.id}`);
    } catch (e) {
      complain(e);
    }
    setBusy('');
  };
  return html`<${Button} icon="printer" busy=${busy === 'packingSlip'} onClick=${() => print('packingSlip')}>${t('packing.slips')}<//>
    <${Button} icon="printer" busy=${busy === 'label'} onClick=${() => print('label')}>${t('packing.labels')}<//>
    ${can('carrier-batches:read') && html`<${Button} icon="file-text" busy=${busy === 'batch'} onClick=${batch}>${t('packing.batch')}<//>`}`;
}
