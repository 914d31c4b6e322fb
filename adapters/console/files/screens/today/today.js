// Today: what waits for somebody, and how the shop is doing.
import { html, useState } from '../../vendor/ui.js';
import { date, day, money, number, percent } from '../../base/format.js';
import { useQuery } from '../../base/query.js';
import { href } from '../../base/route.js';
import { api, can, shop, user } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Icon } from '../../parts/icon.js';
import { Card, Empty, Loading, Page, Refused } from '../../parts/state.js';
import { Bars } from '../../parts/bars.js';

/** @typedef {import('../../vendor/sdk.js').OperatorAnswer<'GET /api/reports/summary'>} Summary */

/** Spans of days that can be looked at. */
const spans = [1, 7, 30, 90];

/** The shop counts what waits up to this many. */
const most = 1000;

/** What the figures are made of. */
const counted = ['orders', 'transactions', 'fulfillment-orders', 'return-requests', 'payment-sessions', 'products', 'product-variants',
  'stock-movements'];

/**
 * What waits, where it is, and for those who may not see the shop's figures, how it is counted, which is as the shop does.
 * @type {{ key: keyof Summary['tasks'], icon: string, to: string, tone: string, of: string[], where: object }[]}
 */
export const waiting = [
  {
    key: 'attention', icon: 'triangle-alert', to: '/payments?tab=attention', tone: 'bad', of: ['payment-sessions'],
    where: { status: { equals: 'requires_attention' } },
  },
  { key: 'toPack', icon: 'package', tone: 'info', ...ordersIn('authorized', 'paid') },
  { key: 'toShip', icon: 'truck', tone: 'info', ...ordersIn('preparing') },
  {
    key: 'waitingForDeposit', icon: 'banknote', to: '/payments?tab=deposit', tone: 'wait', of: ['payment-sessions'],
    where: { and: [{ status: { equals: 'processing' } }, { 'instructions.account': { exists: true } }] },
  },
  {
    key: 'returnsOpen', icon: 'undo-2', to: '/returns?tab=open', tone: 'wait', of: ['return-requests'],
    where: { status: { in: ['requested', 'approved', 'received'] } },
  },
  { key: 'lowStock', icon: 'warehouse', to: '/stock', tone: 'wait', of: ['products', 'product-variants'], where: { lowStock: { equals: true } } },
];

/** ordersIn are orders that somebody can work on. @param {...string} statuses */
function ordersIn(...statuses) {
  return { of: ['orders'], to: `/packing?order.status=${statuses}&order.hold=-`, where: { and: [{ status: { in: statuses } }, { hold: { exists: false } }] } };
}

/** mayCount tells whether the user may read all that a count is of: a part of it would pass for the whole. @param {{ of: string[] }} one */
const mayCount = ({ of }) => of.every((slug) => can(`${slug}:read`));

export function Today() {
  const name = user.value?.firstName || user.value?.name;
  const figures = can('orders:read') && can('transactions:read');
  const some = waiting.some(mayCount);
  return html`<${Page} title=${name ? t('today.hello', { name }) : t('shell.today')}>
    ${figures ? html`<${Figures} />` : some ? html`<${Counted} />` : html`<${Empty} icon="house" title=${t('today.nothing')} />`}
  <//>`;
}

/** Figures are what waits and what was sold. */
function Figures() {
  const [days, setDays] = useState(7);
  const read = (/** @type {AbortSignal} */ signal) => {
    const today = new Date();
    const first = new Date(today.getTime() - (days - 1) * 86_400_000);
    return api.call('GET /api/reports/summary', { from: day(first), to: day(today), by: 'day', compare: 'previous' }, { signal });
  };
  const { data, refusal, reload } = useQuery(`summary ${days}`, read, { live: counted, pause: 3000 });
  return html`${refusal ? html`<${Refused} refusal=${refusal} again=${reload} />` : !data && html`<${Loading} lines=${6} />`}
    ${data && html`<${Tasks} tasks=${data.tasks} /><${Money} ...${{ data, days, setDays }} />`}`;
}

/** Counted is what waits, of what the user may read. */
function Counted() {
  const mine = waiting.filter(mayCount);
  const count = async (/** @type {string} */ slug, /** @type {object} */ where, /** @type {AbortSignal} */ signal) =>
    (await /** @type {any} */ (api.collections).from(slug).count({ where }, { signal })).totalDocs;
  const read = async (/** @type {AbortSignal} */ signal) => Object.fromEntries(await Promise.all(mine.map(async ({ key, of, where }) =>
    [key, (await Promise.all(of.map((slug) => count(slug, where, signal)))).reduce((sum, n) => sum + n, 0)])));
  const { data, refusal, reload } = useQuery('waiting', read, { live: counted, pause: 3000 });
  return html`${refusal ? html`<${Refused} refusal=${refusal} again=${reload} />` : !data && html`<${Loading} lines=${2} />`}
    ${data && html`<${Tasks} tasks=${data} />`}`;
}

/** @param {{ tasks: Partial<Summary['tasks']> }} props those that are counted are shown */
function Tasks({ tasks }) {
  return html`<ul class="tasks" aria-label=${t('today.waiting')}>
    ${waiting.map(({ key, icon, to, tone }) => {
      const n = tasks[key];
      return n !== undefined && html`<li key=${key}><a href=${href(to)} class=${n > 0 ? tone : 'zero'}><${Icon} name=${icon} />
        <b>${n < most ? number(n) : `${number(most)}+`}</b><span>${t(`today.${key}`)}</span></a></li>`;
    })}
  </ul>`;
}

/** @param {{ data: Summary, days: number, setDays: (days: number) => void }} props */
function Money({ data, days, setDays }) {
  const top = html`<div class="segments" role="group" aria-label=${t('today.span')}>
    ${spans.map((n) => html`<button type="button" aria-pressed=${n === days} onClick=${() => setDays(n)}>${n === 1 ? t('shell.today') : t('today.days', { n })}</button>`)}
  </div>`;
  if (data.totals.length === 0) return html`<${Card} title=${t('today.revenue')} top=${top}><${Empty} icon="shopping-cart" title=${t('today.noOrders')} text=${t('today.noOrdersText')} /><//>`;
  const own = (/** @type {{ currency: string }} */ { currency }) => Number(currency === shop.value?.currency);
  return [...data.totals].sort((a, b) => own(b) - own(a)).map((now) => {
    const before = data.comparedWith?.totals.find((b) => b.currency === now.currency);
    const groups = (data.groups ?? []).filter((g) => g.currency === now.currency);
    const bars = daysBetween(data.from, data.to).map((starts) => ({ starts, net: groups.find((g) => g.starts === starts)?.net ?? 0 }));
    const figure = (/** @type {string} */ label, /** @type {string} */ value, /** @type {number} */ a, /** @type {number | undefined} */ b) =>
      html`<div><dt>${label}</dt><dd>${value}${b ? html`<${Change} share=${(a - b) / Math.abs(b)} />` : ''}</dd></div>`;
    return html`<${Card} key=${now.currency} title=${`${t('today.revenue')} · ${now.currency}`} top=${top}>
      <dl class="figures">
        ${figure(t('today.net'), money(now.net, now.currency), now.net, before?.net)}
        ${figure(t('today.orders'), number(now.orders), now.orders, before?.orders)}
        ${figure(t('today.average'), money(now.average, now.currency), now.average ?? 0, before?.average ?? 0)}
        ${figure(t('today.refunds'), money(now.refunds, now.currency), now.refunds, before?.refunds)}
      </dl>
      <${Bars} label=${t('today.revenue')} bars=${bars.map((g) => ({ label: date(g.starts, 'short'), value: g.net, told: money(g.net, now.currency) }))} />
    <//>`;
  });
}

/**
 * daysBetween lists days, both ends with them: the shop leaves out those without figures.
 * @param {string} from such as 2026-01-31
 * @param {string} to
 */
function daysBetween(from, to) {
  const days = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000) days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

/** Change is how much more or less than before. @param {{ share: number }} props */
function Change({ share }) {
  const name = share > 0 ? 'arrow-up' : 'arrow-down';
  return html`<small class=${`change ${share > 0 ? 'up' : share < 0 ? 'down' : ''}`}><${Icon} name=${name} size=${14} />${percent(share)}</small>`;
}
