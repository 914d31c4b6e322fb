// One customer: who they are, what they bought, and what can be done for them.
import { html, useRoute, useState } from '../../vendor/ui.js';
import { useQuery } from '../../base/query.js';
import { go, href, screenOf } from '../../base/route.js';
import { api, can } from '../../base/shop.js';
import { collectionLabel, t } from '../../base/words.js';
import { Acts } from '../../parts/acts.js';
import { Button } from '../../parts/button.js';
import { confirm } from '../../parts/dialog.js';
import { keepFile } from '../../parts/file.js';
import { Absent, Notice, Page } from '../../parts/state.js';
import { Timeline } from '../../parts/timeline.js';
import { complain, tell } from '../../parts/toast.js';
import { Time } from '../../parts/value.js';
import { calledOf, mayErase } from './customers.js';
import { Decline } from './decline.js';
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
  const top = html`<${Acts} ...${actsOf(customer, setOpen)} />`;
  const edit = there && can('customers:update') && html`<${Button} look="quiet" icon="pencil" label=${t('customers.edit')} onClick=${() => setOpen('edit')} />`;
  const decide = mayErase() && html`<${Button} onClick=${() => setOpen('erase')}>${t('customers.seeErasure')}<//>
    <${Button} onClick=${() => setOpen('decline')}>${t('customers.decline')}<//>`;
  return html`<${Page} title=${calledOf(customer)} back=${{ href: href('/customers'), label: collectionLabel('customers') }} class="customer" top=${top}>
    ${erasureRequestedAt && html`<${Notice} kind="warn" action=${decide}>${t('customers.askedErasure')} <${Time} at=${erasureRequestedAt} /><//>`}
    ${customer.erasureDeclinedAt && html`<${Notice}>${t('customers.declinedAt')} <${Time} at=${customer.erasureDeclinedAt} /> · ${
      customer.erasureDeclineReason}<//>`}
    ${erasingSince && html`<${Notice}>${t('customers.erasingSince')} <${Time} at=${erasingSince} /><//>`}
    ${erasedAt && html`<${Notice}>${t('customers.erasedAt')} <${Time} at=${erasedAt} />${customer.erasureReason && html` · ${customer.erasureReason}`}<//>`}
    <div class="columns">
      <div><${Trade} id=${id} /><${Timeline} slug="customers" id=${id} live=${['customers', 'comments']} /></div>
      <aside><${Who} customer=${customer} edit=${edit} /><${Spent} id=${id} /><${Addresses} customer=${customer} /></aside>
    </div>
    ${open === 'edit' && html`<${Edit} customer=${customer} onClose=${close} onSaved=${reload} refresh=${reload} />`}
    ${open === 'decline' && html`<${Decline} customer=${customer} onClose=${close} onChanged=${reload} />`}
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

/**
 * actsOf is what the reader may do for a customer.
 * @param {Customer} customer
 * @param {(what: string) => void} open
 */
function actsOf(customer, open) {
  const there = !customer.erasedAt && !customer.erasingSince;
  const next = there && can('draft-orders:create') && { keys: 'n', label: t('customers.order'), icon: 'phone', run: () => begin(customer) };
  const others = [
    there && can('customers:update') && { keys: 'e', label: t('customers.edit'), icon: 'pencil', run: () => open('edit') },
    { keys: 'x', label: t('customers.export'), icon: 'download', run: () => save(customer) },
    there && can('customers:update') && { label: t('customers.endSessions'), icon: 'log-out', run: () => endSessions(customer) },
    there && mayErase() && { keys: 'm', label: t('customers.merge'), icon: 'users', run: () => open('merge') },
    !customer.erasingSince && mayErase() && { label: t('customers.erase'), icon: 'trash', danger: true, run: () => open('erase') },
  ];
  return { next, others };
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
