// All returns. Those that wait for the next step come first.
import { html } from '../../vendor/ui.js';
import { useQuery } from '../../base/query.js';
import { href } from '../../base/route.js';
import { api } from '../../base/shop.js';
import { collectionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { List } from '../../parts/list.js';
import { Empty, Page } from '../../parts/state.js';
import { Tabs, useTab } from '../../parts/tabs.js';
import { Money, Status, Time, nameOf } from '../../parts/value.js';

/** What a tab has: the returns that wait for one step, and all of them. @type {Record<string, Record<string, any> | undefined>} */
const tabs = {
  open: { status: { in: ['requested', 'approved', 'received'] } },
  requested: { status: { equals: 'requested' } }, approved: { status: { equals: 'approved' } }, received: { status: { equals: 'received' } }, all: undefined,
};

/** The tabs that say how many returns they have. */
const counted = ['open', 'requested', 'approved', 'received'];

/** @param {any} r */
const units = (r) => t('returns.units', { n: r.lines.reduce((/** @type {number} */ n, /** @type {any} */ l) => n + (l.quantity ?? 0), 0) });

/** @param {any} r */
const why = (r) => r.lines.find((/** @type {any} */ l) => l.reason)?.reason ?? '';

/** @param {any} r */
const buyer = (r) => r.order?.customerSnapshot?.name || r.order?.email || '—';

/** @type {Record<string, Partial<import('../../parts/table.js').Column>>} */
const cells = {
  order: { width: 'minmax(9rem, 11rem)', sort: '', cell: (r) => nameOf(r.order) },
  customer: { width: 'minmax(8rem, 1fr)', sort: '', cell: buyer },
  lines: { width: 'minmax(9rem, 1.6fr)', cell: (r) => [units(r), why(r)].filter(Boolean).join(' · ') },
  status: { width: '9rem' },
  refundAmount: { width: '8.5rem', align: 'end', cell: (r) => html`<${Money} amount=${r.refundAmount} currency=${r.currency} />` },
  createdAt: { width: '8.5rem', cell: (r) => html`<${Time} at=${r.createdAt} relative />` },
};

/** @param {any} r */
const card = (r) => html`<span class="return-card">
  <b>${nameOf(r.order)} · ${buyer(r)}</b><${Money} amount=${r.refundAmount} currency=${r.currency} />
  <span>${[units(r), why(r)].filter(Boolean).join(' · ')}</span><${Time} at=${r.createdAt} relative />
  <span><${Status} slug="return-requests" path="status" value=${r.status} /></span>
</span>`;

const columns = ['order', 'customer', 'lines', 'status', 'refundAmount', 'createdAt'];

export default function Returns() {
  const [tab, show] = useTab(Object.keys(tabs));
  const toAll = tab !== 'all' && html`<${Button} onClick=${() => show('all')}>${t('returns.showAll')}<//>`;
  const none = tab === 'all' ? { icon: 'undo-2', title: t('returns.none') } : { icon: 'circle-check', title: t('returns.noneOpen') };
  const requests = api.collections.from('return-requests');
  const count = (/** @type {AbortSignal} */ signal) =>
    Promise.all(counted.map(async (name) => (await requests.count({ where: /** @type {any} */ (tabs[name]) }, { signal })).totalDocs));
  const { data } = useQuery('returns counts', count, { live: ['return-requests'] });
  const label = collectionLabel('return-requests');
  return html`<${Page} title=${label} class="full">
    <${Tabs} label=${t('returns.which')} tab=${tab} onShow=${show}
      tabs=${Object.keys(tabs).map((name) => ({ name, label: t(`returns.tab-${name}`), count: data?.[counted.indexOf(name)] }))} />
    ${tab && html`<${List} key=${tab} slug="return-requests" label=${label} link=${(/** @type {any} */ r) => href(`/returns/${r.id}`)} depth=${1}
      where=${tabs[tab]} sort=${tab === 'all' ? '-createdAt' : 'createdAt'} columns=${columns} cells=${cells} card=${card}
      empty=${html`<${Empty} ...${none} text=${t('returns.noneText')} action=${toAll} />`} />`}
  <//>`;
}
