// What waits to be packed, the oldest order first.
import { html } from '../../vendor/ui.js';
import { href } from '../../base/route.js';
import { fieldAt, useSchema } from '../../base/schema.js';
import { can } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { List } from '../../parts/list.js';
import { Empty, Page } from '../../parts/state.js';
import { QueueActions } from './queue_actions.js';
import { workCard, workCells, workColumns } from './rows.js';
import { oldest, waits } from './work.js';

/** Fields of the order by which the work is filtered. */
const ofOrders = ['status', 'hold', 'placedAt', 'tags'];

export default function Queue() {
  const orders = useSchema('orders');
  const related = Object.fromEntries(ofOrders.flatMap((name) => {
    const field = orders && fieldAt(orders, name);
    return field ? [[`order.${name}`, field]] : [];
  }));
  const actions = (/** @type {Set<string>} */ ids, /** @type {() => void} */ clear) => html`<${QueueActions} ids=${ids} onDone=${clear} />`;
  const empty = html`<${Empty} icon="package" title=${t('packing.none')} text=${t('packing.noneText')} />`;
  if (orders === undefined) return html`<${Page} title=${t('packing.title')} class="full" />`;
  return html`<${Page} title=${t('packing.title')} class="full">
    <${List} slug="fulfillment-orders" label=${t('packing.title')} link=${(/** @type {any} */ w) => href(`/packing/${w.id}`)} columns=${workColumns}
      cells=${workCells()} sort=${oldest} depth=${1} where=${waits} find="order.orderNumber" related=${related} live=${['orders', 'fulfillments']}
      card=${workCard} empty=${empty} actions=${can('orders:fulfill') ? actions : undefined} />
  <//>`;
}
