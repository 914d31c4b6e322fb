// All payments. Those that somebody has to decide about come first.
import { html, useState } from '../../vendor/ui.js';
import { useShortcuts } from '../../base/keys.js';
import { useQuery } from '../../base/query.js';
import { href } from '../../base/route.js';
import { api, can } from '../../base/shop.js';
import { fieldLabel, optionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { List } from '../../parts/list.js';
import { Badge, Empty, Page } from '../../parts/state.js';
import { Tabs, useTab } from '../../parts/tabs.js';
import { Money, Status, Time } from '../../parts/value.js';
import { FindPayment } from './find.js';
import { methodOf } from './movements.js';
import { waitsForDeposit } from './possible.js';

/** Which payments a tab has, and what it tells of them. @type {Record<string, { where?: Record<string, any>, columns: string[], sort: string }>} */
const tabs = {
  attention: {
    where: { status: { equals: 'requires_attention' } },
    columns: ['customerName', 'reason', 'suggestedAction', 'amount', 'provider', 'createdAt'], sort: 'createdAt',
  },
  deposit: {
    where: { and: [{ status: { equals: 'processing' } }, { 'instructions.account': { exists: true } }] },
    columns: ['customerName', 'instructions.due', 'instructions.bank', 'amount', 'provider', 'createdAt'], sort: '-createdAt',
  },
  open: {
    where: { status: { in: ['created', 'pending', 'processing', 'authorized'] } },
    columns: ['customerName', 'status', 'amount', 'provider', 'method', 'createdAt'], sort: '-createdAt',
  },
  all: { columns: ['customerName', 'status', 'amount', 'provider', 'method', 'createdAt'], sort: '-createdAt' },
};

/** The tabs that say how many payments they have. */
const counted = ['attention', 'deposit'];

/** @param {any} s */
const buyer = (s) => s.customerName || s.email || t('payments.noName');

/** @param {any} s */
const why = (s) => html`<${Badge} tone="bad">${optionLabel('payment-sessions', 'reason', s.reason)}<//>`;

/** @type {Record<string, Partial<import('../../parts/table.js').Column>>} */
const cells = {
  customerName: { cell: buyer, width: 'minmax(9rem, 1.4fr)' },
  status: { width: '9rem' },
  reason: { width: 'minmax(9rem, 1.2fr)', cell: (s) => (s.status === 'requires_attention' ? why(s) : '') },
  suggestedAction: { width: 'minmax(9rem, 1.2fr)', cell: (s) => s.suggestedAction && optionLabel('payment-sessions', 'suggestedAction', s.suggestedAction) },
  amount: { width: '8.5rem', align: 'end', cell: (s) => html`<${Money} amount=${s.amount.amount} currency=${s.amount.currency} />` },
  provider: { width: '8.5rem', cell: (s) => optionLabel('payment-sessions', 'provider', s.provider) },
  method: { width: '8.5rem', cell: (s) => methodOf(s.method) ?? '' },
  createdAt: { width: '8.5rem', cell: (s) => html`<${Time} at=${s.createdAt} relative />` },
  'instructions.due': { width: '9rem', cell: (s) => html`<${Time} at=${s.instructions?.due} relative />` },
};

/** @param {any} s */
const card = (s) => html`<span class="payment-card">
  <b>${buyer(s)}</b><${Money} amount=${s.amount.amount} currency=${s.amount.currency} />
  <span>${s.status === 'requires_attention' ? why(s) : html`<${Status} slug="payment-sessions" path="status" value=${s.status} />`}</span>
  ${waitsForDeposit(s)
    ? html`<span>${fieldLabel('payment-sessions', 'instructions.due')} <${Time} at=${s.instructions.due} relative /></span>`
    : html`<${Time} at=${s.createdAt} relative />`}
</span>`;

export default function Payments() {
  const [tab, show] = useTab(Object.keys(tabs));
  const [finding, setFinding] = useState(false);
  const find = can('payments:reconcile') && html`<${Button} icon="search" onClick=${() => setFinding(true)}>${t('payments.find')}<//>`;
  useShortcuts(can('payments:reconcile') ? [{ keys: 'f', label: t('payments.find'), run: () => setFinding(true) }] : []);
  const toAll = tab !== 'all' && html`<${Button} onClick=${() => show('all')}>${t('payments.showAll')}<//>`;
  const icon = tab === 'attention' ? 'circle-check' : 'credit-card';
  const empty = html`<${Empty} icon=${icon} title=${t(`payments.none-${tab}`)} text=${t(`payments.noneText-${tab}`)} action=${toAll} />`;
  return html`<${Page} title=${t('payments.title')} class="full" top=${find}>
    <${Counted} tab=${tab} onShow=${show} />
    ${tab && html`<${List} key=${tab} slug="payment-sessions" label=${t('payments.title')} link=${(/** @type {any} */ s) => href(`/payments/${s.id}`)}
      ...${tabs[tab]} cells=${cells} extra=${['instructions.due', 'instructions.bank']} card=${card} empty=${empty} />`}
    ${finding && html`<${FindPayment} onClose=${() => setFinding(false)} />`}
  <//>`;
}

/** Counted is the tabs, with how many payments wait in some of them. @param {{ tab: string, onShow: (tab: string) => void }} props */
function Counted({ tab, onShow }) {
  const sessions = api.collections.from('payment-sessions');
  const count = (/** @type {AbortSignal} */ signal) =>
    Promise.all(counted.map(async (name) => (await sessions.count({ where: /** @type {any} */ (tabs[name]?.where) }, { signal })).totalDocs));
  const { data } = useQuery('payments counts', count, { live: ['payment-sessions'] });
  return html`<${Tabs} label=${t('payments.which')} tab=${tab} onShow=${onShow}
    tabs=${Object.keys(tabs).map((name) => ({ name, label: t(`payments.tab-${name}`), count: data?.[counted.indexOf(name)] }))} />`;
}
