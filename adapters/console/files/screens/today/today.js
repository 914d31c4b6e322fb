// Today: what waits for somebody, and how the shop is doing.
import { html, useState } from '../../vendor/ui.js';
import { date, day, money, number, percent } from '../../base/format.js';
import { useQuery } from '../../base/query.js';
import { href } from '../../base/route.js';
import { api, can, shop, user } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { Badge, Card, Empty, Loading, Page, Refused } from '../../parts/state.js';
import { complain } from '../../parts/toast.js';
import { Bars } from '../../parts/bars.js';

/** @typedef {import('../../vendor/sdk.js').OperatorAnswer<'GET /api/reports/summary'>} Summary */
/** @typedef {import('../../vendor/sdk.js').OperatorAnswer<'GET /api/reports/today'>} Waiting */

/** Spans of days that can be looked at. */
const spans = [1, 7, 30, 90];

/** The shop counts what waits up to this many. */
const most = 1000;

/** What is counted, and what the figures are made of. */
const counted = ['orders', 'transactions', 'fulfillment-orders', 'return-requests', 'payment-sessions', 'products', 'product-variants',
  'stock-movements'];

/** What may wait, and where it is. @type {{ key: keyof Waiting['tasks'], icon: string, to: string, tone: string }[]} */
const waiting = [
  { key: 'attention', icon: 'triangle-alert', to: '/payments?tab=attention', tone: 'bad' },
  { key: 'toPack', icon: 'package', to: '/packing?order.status=authorized,paid&order.hold=-', tone: 'info' },
  { key: 'toShip', icon: 'truck', to: '/packing?order.status=preparing&order.hold=-', tone: 'info' },
  { key: 'waitingForDeposit', icon: 'banknote', to: '/payments?tab=deposit', tone: 'wait' },
  { key: 'returnsOpen', icon: 'undo-2', to: '/returns?tab=open', tone: 'wait' },
  { key: 'lowStock', icon: 'warehouse', to: '/stock', tone: 'wait' },
];

/** The steps of setting a shop up, and where each is done. @type {[keyof NonNullable<Waiting['setup']>, string][]} */
const steps = [['product', '/products/new'], ['payment', '/settings/payments/new'], ['shipping', '/settings'], ['taxes', '/taxes'], ['storefront', '/settings']];

export function Today() {
  const name = user.value?.firstName || user.value?.name;
  const read = (/** @type {AbortSignal} */ signal) => api.call('GET /api/reports/today', {}, { signal });
  const { data, refusal, reload } = useQuery('today', read, { live: [...counted, 'tenants'], pause: 3000 });
  return html`<${Page} title=${name ? t('today.hello', { name }) : t('shell.today')} ...${{ refusal, again: reload }}>
    ${data ? html`<${Setup} done=${data.setup} /><${Tasks} tasks=${data.tasks} />` : !refusal && html`<${Loading} lines=${2} />`}
    ${can('orders:read') && can('transactions:read') && html`<${Figures} />`}
  <//>`;
}

/** Setup is how to begin, as long as the shop tells. @param {{ done: Waiting['setup'] }} props */
function Setup({ done }) {
  if (!done) return null;
  const dismiss = () => api.collections.from('tenants').update(shop.value?.id ?? '', { settings: { setupDismissed: true } }).catch(complain);
  return html`<${Card} title=${t('today.setup')} top=${html`<${Button} onClick=${dismiss}>${t('today.dismiss')}<//>`}>
    <ul class="rows-plain">${steps.map(([step, to]) => html`<li key=${step}><a class="row-plain" href=${href(to)}><b>${t(`today.${step}`)}</b></a>
      ${done[step] ? html`<${Badge} tone="good">${t('today.done')}<//>` : html`<${Icon} name="chevron-right" />`}</li>`)}</ul>
  <//>`;
}

/** @param {{ tasks: Waiting['tasks'] }} props those that are not null are the reader's */
function Tasks({ tasks }) {
  const mine = waiting.filter(({ key }) => tasks[key] !== null);
  if (mine.length === 0) return html`<${Empty} icon="house" title=${t('today.nothing')} />`;
  return html`<ul class="tasks" aria-label=${t('today.waiting')}>
    ${mine.map(({ key, icon, to, tone }) => {
      const n = tasks[key] ?? 0;
      return html`<li key=${key}><a href=${href(to)} class=${n > 0 ? tone : 'zero'}><${Icon} name=${icon} />
        <b>${n < most ? number(n) : `${number(most)}+`}</b><span>${t(`today.${key}`)}</span></a></li>`;
    })}
  </ul>`;
}

/** Figures are what was sold. */
function Figures() {
  const [days, setDays] = useState(7);
  const read = (/** @type {AbortSignal} */ signal) => {
    const today = new Date();
    const first = new Date(today.getTime() - (days - 1) * 86_400_000);
    return api.call('GET /api/reports/summary', { from: day(first), to: day(today), by: 'day', compare: 'previous' }, { signal });
  };
  const { data, refusal, reload } = useQuery(`summary ${days}`, read, { live: counted, pause: 3000 });
  return html`${refusal ? html`<${Refused} refusal=${refusal} again=${reload} />` : !data && html`<${Loading} lines=${6} />`}
    ${data && html`<${Money} ...${{ data, days, setDays }} />`}`;
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
