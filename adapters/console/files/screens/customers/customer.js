// One customer: who they are, what they bought, and what can be done for them.
import { html, useRoute, useState } from '../../vendor/ui.js';
import { useShortcuts } from '../../base/keys.js';
import { useQuery } from '../../base/query.js';
import { go, href, screenOf } from '../../base/route.js';
import { api, can } from '../../base/shop.js';
import { collectionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { confirm } from '../../parts/dialog.js';
import { keepFile } from '../../parts/file.js';
import { Menu } from '../../parts/menu.js';
import { Absent, Notice, Page } from '../../parts/state.js';
import { Timeline } from '../../parts/timeline.js';
import { complain, tell } from '../../parts/toast.js';
import { Time } from '../../parts/value.js';
import { calledOf, mayErase } from './customers.js';
import { Edit } from './edit.js';
import { Erase } from './erase.js';
import { Merge } from './merge.js';
import { Spent, Trade } from './trade.js';
import { Addresses, Who } from './who.js';

/** @typedef {import('./customers.js').Customer} Customer */

export default function CustomerScreen() {
  const { id = '' } = useRoute().params;
  const { data: customer, refusal, reload } = useQuery(`customer ${id}`, (signal) => api.collections.from('customers').findById(id, { depth: 0 }, { signal }),
    { live: ['customers'], record: id });
  const back = { href: href('/customers'), label: collectionLabel('customers') };
  if (!customer) return html`<${Absent} title=${collectionLabel('customers', 'one')} back=${back} refusal=${refusal} again=${reload} gone=${t('customers.gone')}
    goneText=${t('customers.goneText')} />`;
  return html`<${Shown} key=${id} customer=${/** @type {Customer} */ (customer)} reload=${reload} />`;
}

/** @param {{ customer: Customer, reload: () => void }} props */
function Shown({ customer, reload }) {
  const [open, setOpen] = useState('');
  const { id, erasedAt, erasingSince, erasureRequestedAt } = customer;
  const close = () => setOpen('');
  const there = !erasedAt && !erasingSince;
  const actions = useActions(customer, setOpen);
  const edit = there && can('customers:update') && html`<${Button} look="quiet" icon="pencil" label=${t('customers.edit')} onClick=${() => setOpen('edit')} />`;
  const phoned = actions.find((a) => a.keys === 'n');
  const top = html`${phoned && html`<${Button} look="primary" icon="phone" onClick=${phoned.run} keys="n">${phoned.label}<//>`}
    ${actions.length > 0 && html`<${Menu} label=${t('common.more')} items=${actions.filter((a) => a !== phoned)} />`}`;
  const decide = mayErase() && html`<${Button} onClick=${() => setOpen('erase')}>${t('customers.seeErasure')}<//>`;
  return html`<${Page} title=${calledOf(customer)} back=${{ href: href('/customers'), label: collectionLabel('customers') }} class="customer" top=${top}>
    ${erasureRequestedAt && html`<${Notice} kind="warn" action=${decide}>${t('customers.askedErasure')} <${Time} at=${erasureRequestedAt} /><//>`}
    ${erasingSince && html`<${Notice}>${t('customers.erasingSince')} <${Time} at=${erasingSince} /><//>`}
    ${erasedAt && html`<${Notice}>${t('customers.erasedAt')} <${Time} at=${erasedAt} />${customer.erasureReason && html` · ${customer.erasureReason}`}<//>`}
    <div class="columns">
      <div><${Trade} id=${id} /><${Timeline} slug="customers" id=${id} live=${['customers', 'comments']} /></div>
      <aside><${Who} customer=${customer} edit=${edit} /><${Spent} id=${id} /><${Addresses} customer=${customer} /></aside>
    </div>
    ${open === 'edit' && html`<${Edit} customer=${customer} onClose=${close} onSaved=${reload} refresh=${reload} />`}
    ${open === 'merge' && html`<${Merge} customer=${customer} onClose=${close} onMerged=${() => {
      close();
      reload();
    }} />`}
    ${open === 'erase' && html`<${EraseCustomer} customer=${customer} onClose=${close} onBegun=${() => {
      close();
      reload();
      tell(t('customers.erasureBegun'));
    }} />`}
  <//>`;
}

/** @typedef {{ label: string, icon: string, run: () => void, keys?: string, danger?: boolean }} Action */

/**
 * useActions is what the reader may do for a customer, with the keys for it.
 * @param {Customer} customer
 * @param {(what: string) => void} open
 * @returns {Action[]}
 */
function useActions(customer, open) {
  const there = !customer.erasedAt && !customer.erasingSince;
  /** @type {(Action & { may: boolean })[]} */
  const all = [
    { keys: 'n', label: t('customers.order'), icon: 'phone', may: there && can('draft-orders:create'), run: () => void begin(customer) },
    { keys: 'e', label: t('customers.edit'), icon: 'pencil', may: there && can('customers:update'), run: () => open('edit') },
    { keys: 'x', label: t('customers.export'), icon: 'download', may: true, run: () => void save(customer) },
    { label: t('customers.endSessions'), icon: 'log-out', may: there && can('customers:update'), run: () => void endSessions(customer) },
    { keys: 'm', label: t('customers.merge'), icon: 'users', may: there && mayErase(), run: () => open('merge') },
    { label: t('customers.erase'), icon: 'trash', danger: true, may: !customer.erasingSince && mayErase(), run: () => open('erase') },
  ];
  const may = all.filter((a) => a.may).map(({ may: _, ...action }) => action);
  useShortcuts(may.flatMap(({ keys, label, run }) => (keys ? [{ keys, label, run }] : [])));
  return may;
}

/** begin makes a draft for a customer and shows it. @param {Customer} c */
async function begin(c) {
  const home = (c.addresses ?? []).find((a) => a.isDefault) ?? c.addresses?.[0];
  const { label: _, isDefault: __, ...address } = home ?? { label: '', isDefault: false };
  const draft = { customer: c.id, customerSnapshot: { name: c.name, email: c.email, phone: c.phone }, shippingAddress: home ? address : null };
  await api.collections.from('draft-orders').create(/** @type {any} */ (draft)).then(({ doc }) => go(screenOf('draft-orders', doc.id)), complain);
}

/** save hands out what is held about a customer as a file. @param {Customer} c */
const save = (c) => keepFile(api.file('GET /api/customers/{id}/export', { id: c.id }), `customer-${c.id}.json`);

/** @param {Customer} c */
async function endSessions(c) {
  if (!(await confirm({ title: t('customers.endSessions'), text: t('customers.endSessionsText', { name: calledOf(c) }),
    action: t('customers.endSessions') }))) return;
  await api.call('POST /api/customers/{id}/end-sessions', { id: c.id }).then(() => tell(t('customers.endedSessions')), complain);
}

/** @param {{ customer: Customer, onClose: () => void, onBegun: () => void }} props */
function EraseCustomer({ customer, onClose, onBegun }) {
  const { id, revision = null } = customer;
  const { data, refusal } = useQuery(`erasure of ${id}`, (signal) => api.call('GET /api/customers/{id}/erasure', { id }, { signal }), { live: ['orders',
    'payment-sessions', 'return-requests'] });
  return html`<${Erase} name=${`erase ${id}`} email=${customer.email ?? ''} title=${t('customers.eraseNamed', { name: calledOf(customer) })} held=${data}
    refusal=${refusal} onClose=${onClose}
    onBegun=${onBegun} send=${(/** @type {string | null} */ reason, /** @type {any} */ options) => api.call('POST /api/customers/{id}/erase', { id, reason,
      expectedRevision: revision }, options)} />`;
}
