// All customers, those who ask to be erased first in sight.
import { html, useState } from '../../vendor/ui.js';
import { useShortcuts } from '../../base/keys.js';
import { useQuery } from '../../base/query.js';
import { go, href, screenOf } from '../../base/route.js';
import { api, can } from '../../base/shop.js';
import { collectionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { List } from '../../parts/list.js';
import { Menu } from '../../parts/menu.js';
import { Badge, Empty, Notice, Page } from '../../parts/state.js';
import { Time } from '../../parts/value.js';
import { Edit } from './edit.js';

/** @typedef {import('../../vendor/sdk.js').Schemas['Customer']} Customer */

/** calledOf is how a customer is called. @param {Pick<Customer, 'id' | 'name' | 'email' | 'erasedAt' | 'erasingSince'>} c */
export const calledOf = (c) => (c.erasedAt || c.erasingSince ? t('customers.erased') : c.name || c.email || c.id.slice(-8));

/** @param {Customer} c */
const marks = (c) => html`${c.erasureRequestedAt && html` <${Badge} tone="bad">${t('customers.asksErasure')}<//>`}${c.erasingSince && html` <${Badge}
  tone="info">${t('customers.erasing')}<//>`}`;

/** @type {Record<string, Partial<import('../../parts/table.js').Column>>} */
const cells = {
  name: { cell: (c) => html`${calledOf(c)}${marks(c)}`, width: 'minmax(11rem, 1.4fr)' },
  email: { width: 'minmax(12rem, 1.6fr)' },
  createdAt: { cell: (c) => html`<${Time} at=${c.createdAt} relative />`, width: '9rem' },
};

/** @param {Customer} c */
const card = (c) => html`<span class="person-card"><b>${calledOf(c)}</b>${marks(c)}<span>${[c.phone, c.email].filter(Boolean).join(' · ')}</span></span>`;

const columns = ['name', 'email', 'phone', 'groups', 'marketingConsent', 'createdAt'];

/** mayErase is whether the reader may erase people and merge them. */
export const mayErase = () => can('customers:update') && can('customers:delete');

export default function Customers() {
  const [adding, setAdding] = useState(false);
  const may = can('customers:create');
  useShortcuts(may ? [{ keys: 'n', label: t('customers.new'), run: () => setAdding(true) }] : []);
  const add = may && html`<${Button} look="primary" icon="plus" onClick=${() => setAdding(true)} keys="n">${t('customers.new')}<//>`;
  const items = mayErase() ? [{ label: t('customers.guests'), icon: 'ban', href: href('/customers/guests') }] : [];
  const top = html`${add}${items.length > 0 && html`<${Menu} label=${t('common.more')} items=${items} />`}`;
  const empty = html`<${Empty} icon="users" title=${t('customers.none')} text=${t('customers.noneText')} action=${add} />`;
  return html`<${Page} title=${collectionLabel('customers')} class="full noted" top=${top}>
    <div><${Asking} /></div>
    <${List} slug="customers" label=${collectionLabel('customers')} link=${(/** @type {any} */ c) => href(screenOf('customers', c.id))} columns=${columns}
      cells=${cells}
      card=${card} empty=${empty} />
    ${adding && html`<${Edit} customer=${null} onClose=${() => setAdding(false)} onSaved=${(/** @type {Customer} */ c) => go(screenOf('customers', c.id))} />`}
  <//>`;
}

/** Asking says that somebody waits for being erased. */
function Asking() {
  const read = (/** @type {AbortSignal} */ signal) => api.collections.from('customers').count({ where: { erasureRequestedAt: { exists: true } } }, { signal });
  const { data } = useQuery(mayErase() ? 'customers who ask to be erased' : '', read, { live: ['customers'] });
  if (!data?.totalDocs) return null;
  const show = html`<${Button} onClick=${() => go('/customers?erasureRequestedAt=2000-01-01..')}>${t('customers.show')}<//>`;
  return html`<${Notice} kind="warn" action=${show}>${t('customers.asking', { n: data.totalDocs })}<//>`;
}
