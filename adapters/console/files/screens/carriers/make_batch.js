import { html, useMemo } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { useQuery } from '../../base/query.js';
import { go } from '../../base/route.js';
import { api } from '../../base/shop.js';
import { fieldLabel, t } from '../../base/words.js';
import { TextField } from '../../parts/field.js';
import { FormDialog } from '../../parts/form.js';
import { Loading, Notice } from '../../parts/state.js';
import { tell } from '../../parts/toast.js';
import { CarrierField, lastCarrier } from '../packing/carrier.js';

/** What can be given to a carrier, or could if its order were not on hold. */
const exportable = {
  and: [
    { type: { equals: 'shipping' } }, { status: { in: ['open', 'in_progress'] } }, { carrierBatch: { exists: false } },
    { 'order.status': { in: ['authorized', 'paid', 'preparing'] } },
  ],
};

/** Fulfillment orders that a batch has at most. */
const most = 1000;

/** MakeBatch puts what waits into a batch for a carrier. @param {{ onClose: () => void }} props */
export function MakeBatch({ onClose }) {
  const initial = useMemo(() => ({ carrier: lastCarrier(), note: '' }), []);
  const { data } = useQuery('carriers waiting', read, { live: ['fulfillment-orders', 'orders'] });
  const form = useForm({
    name: 'carrier batch',
    initial,
    keep: false,
    send: async (changes, options) => {
      const { carrier, note } = { ...initial, ...changes };
      const input = { carrier: carrier || null, note: note || null };
      const { carrierBatch, more } = await api.call('POST /api/fulfillments/carrier-batches', input, options);
      tell(t(more ? 'carriers.madeMore' : 'carriers.made', { n: carrierBatch.number }));
      onClose();
      go(`/carriers/${carrierBatch.id}`);
    },
  });
  return html`<${FormDialog} form=${form} id="batch" title=${t('carriers.make')} action=${t('carriers.make')} ready=${(data?.free ?? 0) > 0}
    onClose=${onClose}>
    ${!data && html`<${Loading} lines=${1} />`}
    ${data && html`<p>${data.free > 0 ? t('carriers.waiting', { n: Math.min(most, data.free) }) : t('carriers.noneWaits')}</p>`}
    ${data && data.free > most && html`<${Notice}>${t('carriers.tooMany', { n: most })}<//>`}
    ${data && data.held > 0 && html`<${Notice} kind="warn">${t('carriers.held', { n: data.held })}<//>`}
    <${CarrierField} ...${form.input('carrier')} help=${t('carriers.carrierHelp')} />
    <${TextField} label=${fieldLabel('carrier-batches', 'note')} ...${form.input('note')} />
  <//>`;
}

/** @param {AbortSignal} signal */
async function read(signal) {
  const count = (/** @type {boolean} */ exists) => {
    const where = /** @type {any} */ ({ and: [...exportable.and, { 'order.hold': { exists } }] });
    return api.collections.from('fulfillment-orders').count({ where }, { signal });
  };
  const [held, free] = await Promise.all([count(true), count(false)]);
  return { held: held.totalDocs, free: free.totalDocs };
}
