// What somebody bought, asked for and left lying: orders, drafts, returns, carts, and what they spent.
import { html } from '../../vendor/ui.js';
import { number } from '../../base/format.js';
import { useQuery } from '../../base/query.js';
import { balanceOf, moved } from '../../base/movements.js';
import { href, screenOf } from '../../base/route.js';
import { api, can } from '../../base/shop.js';
import { collectionLabel, t } from '../../base/words.js';
import { Card, Loading, Refused } from '../../parts/state.js';
import { Money, Status, Time } from '../../parts/value.js';
import { trialTag } from '../drafts/find.js';

/** Rows of each kind that are shown; the rest is in the list of all. */
const few = 8;

/** @param {any} r */
const lines = (r) => t('customers.lines', { n: (r.lines ?? []).length });

/**
 * Kinds of records that belong to a customer.
 * @type {{ slug: 'orders' | 'draft-orders' | 'return-requests' | 'carts', name: (r: any) => any, amount: (r: any) => any, sort: string, where?: object }[]}
 */
const kinds = [
  { slug: 'orders', name: (r) => r.orderNumber, amount: (r) => [r.totalAmount, r.currency], sort: '-placedAt' },
  { slug: 'draft-orders', name: lines, amount: (r) => [r.totals?.total, r.currency], sort: '-createdAt',
    where: { status: { equals: 'draft' }, tags: { not_in: [trialTag] } } },
  { slug: 'return-requests', name: lines, amount: (r) => [r.refundAmount, r.currency], sort: '-createdAt' },
  { slug: 'carts', name: lines, amount: (r) => [r.totals?.total, r.currency], sort: '-createdAt', where: { status: { equals: 'active' } } },
];

/** Trade is a card for each kind that there is something of; orders always. @param {{ id: string }} props */
export function Trade({ id }) {
  return html`${kinds.filter(({ slug }) => can(`${slug}:read`)).map((kind) => html`<${Kind} key=${kind.slug} id=${id} kind=${kind} />`)}`;
}

/** @param {{ id: string, kind: typeof kinds[number] }} props */
function Kind({ id, kind: { slug, name, amount, sort, where } }) {
  const of = { customer: { equals: id }, ...where };
  const read = (/** @type {AbortSignal} */ signal) => /** @type {any} */ (api.collections.from(slug)).find({ where: of, sort, limit: few, depth: 0 },
    { signal });
  const { data, refusal, reload } = useQuery(`${slug} of customer ${id}`, read, { live: [slug] });
  if (slug !== 'orders' && !data?.totalDocs && !refusal) return null;
  const all = data?.totalDocs > few && html`<a href=${href(`${screenOf(slug)}?customer=${id}`)}>${t('customers.all', { n: data.totalDocs })}</a>`;
  return html`<${Card} title=${collectionLabel(slug)} top=${all}>
    ${refusal ? html`<${Refused} refusal=${refusal} again=${reload} />` : !data && html`<${Loading} />`}
    ${data?.totalDocs === 0 && html`<p class="none">${t('customers.noOrders')}</p>`}
    <ul class="trade">${data?.docs.map((/** @type {any} */ r) => html`<li key=${r.id}>
      <a href=${href(screenOf(slug, r.id))}>${name(r)}</a>
      <span class="badges"><${Status} slug=${slug} path="status" value=${r.status} />${slug === 'orders' && html`<${Status} slug=${slug} path="paymentStatus"
        value=${r.paymentStatus} />`}</span>
      <${Time} at=${r.placedAt ?? r.createdAt} relative />
      <${Money} amount=${amount(r)[0]} currency=${amount(r)[1]} />
    </li>`)}</ul>
  <//>`;
}

/** Movements that are added up at most. */
const most = 500;

/** Spent is what somebody paid and did not get back, by currency. @param {{ id: string }} props */
export function Spent({ id }) {
  const where = /** @type {any} */ ({ 'order.customer': { equals: id } });
  const read = (/** @type {AbortSignal} */ signal) => api.collections.from('transactions').find({ where, limit: most, sort: '-createdAt', depth: 0 },
    { signal });
  const { data } = useQuery(can('transactions:read') ? `money of customer ${id}` : '', read, { live: ['transactions'] });
  const orders = useQuery(can('orders:read') ? `orders of customer ${id} counted` : '',
    (signal) => api.collections.from('orders').count({ where: { customer: { equals: id } } }, { signal }), { live: ['orders'] });
  if (!data && !orders.data) return null;
  const movements = data?.docs ?? [];
  const currencies = [...new Set(movements.filter(moved).map((m) => m.currency ?? ''))].filter(Boolean);
  return html`<${Card} title=${t('customers.spent')}>
    <dl class="sums">
      ${orders.data && html`<div><dt>${collectionLabel('orders')}</dt><dd>${number(orders.data.totalDocs)}</dd></div>`}
      ${currencies.map((currency) => html`<div class="whole" key=${currency}><dt>${t('customers.paid')}</dt><dd><${Money} amount=${balanceOf(movements, currency)}
        currency=${currency} /></dd></div>`)}
    </dl>
    ${currencies.length > 0 && html`<p class="help">${t('customers.paidHelp')}</p>`}
    ${data && data.totalDocs > most && html`<p class="help">${t('customers.onlyLast', { n: most })}</p>`}
  <//>`;
}
