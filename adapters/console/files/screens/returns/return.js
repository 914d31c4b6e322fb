// One return: what comes back and why, how far it is, and what is given back for it.
import { html, useMemo, useRoute } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { number } from '../../base/format.js';
import { useQuery } from '../../base/query.js';
import { href, screenOf } from '../../base/route.js';
import { api, can, idOf } from '../../base/shop.js';
import { collectionLabel, fieldLabel, optionLabel, t } from '../../base/words.js';
import { LabelsField, TextField } from '../../parts/field.js';
import { FormFoot } from '../../parts/form.js';
import { RelationField } from '../../parts/relation.js';
import { Absent, Card, Notice, Page, Refused } from '../../parts/state.js';
import { Timeline } from '../../parts/timeline.js';
import { tell } from '../../parts/toast.js';
import { Reach, Status, Time, Yes } from '../../parts/value.js';
import { ReturnActions } from './actions.js';
import { Steps } from './steps.js';
import { Sums, titles } from './sums.js';

/** @typedef {import('../../vendor/sdk.js').Schemas} Schemas */
/** @typedef {Schemas['ReturnRequest']} Return */
/** @typedef {{ request: Return, order: Schemas['Order'] | null }} ReturnData */

/** What happens to a return. */
const parts = ['return-requests', 'transactions', 'comments'];

export default function ReturnScreen() {
  const { id = '' } = useRoute().params;
  const { data, refusal, reload } = useQuery(`return ${id}`, (signal) => read(id, signal), { live: parts });
  const back = { href: href('/returns'), label: collectionLabel('return-requests') };
  if (!data) return html`<${Absent} title=${collectionLabel('return-requests', 'one')} back=${back} refusal=${refusal} again=${reload}
    gone=${t('returns.gone')} goneText=${t('returns.goneText')} />`;
  const { request, order } = data;
  const badges = html`<span class="badges"><${Status} slug="return-requests" path="status" value=${request.status} />
    ${request.status !== 'refunded' && request.refundStatus && html`<${Status} slug="return-requests" path="refundStatus" value=${request.refundStatus} />`}
  </span>`;
  const ended = request.status === 'rejected' || request.status === 'canceled';
  const top = html`<${ReturnActions} data=${data} onChanged=${reload} />`;
  return html`<${Page} title=${t('returns.of', { number: order?.orderNumber ?? '' })} back=${back} badges=${badges} top=${top}>
    ${refusal && html`<${Refused} refusal=${refusal} again=${reload} />`}
    ${request.refundProblem && request.status !== 'refunded' && html`<${Notice} kind="bad"><b>${t('returns.problem')}</b> ${request.refundProblem}<//>`}
    ${request.status === 'refunded' && request.refundStatus === 'pending' && html`<${Notice}>${t('returns.pending')}<//>`}
    ${request.statusReason && html`<${Notice} kind="warn">${request.statusReason}<//>`}
    <${Steps} request=${request} />
    <div class="columns">
      <div>
        <${Lines} ...${data} />
        <${Card} title=${t('returns.money')}><${Sums} amounts=${request} titleOf=${titles(order)} />
          ${ended && html`<p class="none">${t('returns.nothingGiven')}</p>`}
          ${request.auditNote && html`<p class="quote">${request.auditNote}</p>`}<//>
      </div>
      <aside><${Of} ...${data} />${can('return-requests:update') && html`<${Notes} request=${request} onChanged=${reload} />`}</aside>
      <div><${Timeline} slug="return-requests" id=${request.id} live=${parts} currency=${request.currency} /></div>
    </div>
  <//>`;
}

/** Lines is what comes back. @param {ReturnData} props */
function Lines({ request, order }) {
  const titleOf = titles(order);
  const label = (/** @type {string} */ name) => fieldLabel('return-requests', `lines.${name}`);
  return html`<${Card} title=${t('returns.lines')}>
    <ul class="return-lines">${request.lines.map((l) => html`<li key=${l.orderLine}>
      <span><b>${titleOf(l.orderLine)}</b>${l.reason ? html`<q class="quote">${l.reason}</q>` : html`<small>${t('returns.noReason')}</small>`}</span>
      <span class="end">${t('returns.units', { n: l.quantity })}
        ${l.requestedQuantity !== null && html`<small>${label('requestedQuantity')}: ${number(l.requestedQuantity)}</small>`}
        ${l.condition && html`<small>${label('condition')}: ${optionLabel('return-requests', 'lines.condition', l.condition)}</small>`}
        <small>${t('returns.restock')}: <${Yes} value=${l.restock} /></small></span>
    </li>`)}</ul>
  <//>`;
}

/** Of is whose return it is. @param {ReturnData} props */
function Of({ request, order }) {
  const customer = idOf(request.customer);
  const { name, phone } = order?.customerSnapshot ?? {};
  const who = name || order?.email || '—';
  return html`<${Card} title=${collectionLabel('orders', 'one')}>
    ${order && html`<p><a href=${href(`/orders/${order.id}`)}>${order.orderNumber}</a> <${Status} slug="orders" path="status" value=${order.status} /></p>`}
    <p>${customer && can('customers:read') ? html`<a href=${href(screenOf('customers', customer))}>${who}</a>` : who}</p>
    <${Reach} email=${order?.email} phone=${phone} />
    <dl class="facts">
      <div><dt>${fieldLabel('return-requests', 'createdAt')}</dt><dd><${Time} at=${request.createdAt} /></dd></div>
      ${order?.deliveredAt && html`<div><dt>${fieldLabel('orders', 'deliveredAt')}</dt><dd><${Time} at=${order.deliveredAt} relative /></dd></div>`}
      ${request.refundAccountEnding && html`<div><dt>${fieldLabel('return-requests', 'refundAccountEnding')}</dt><dd>${request.refundAccountEnding}</dd></div>`}
      <div><dt>${t('returns.count')}</dt><dd>${number(request.lines.reduce((n, l) => n + (l.quantity ?? 0), 0))}</dd></div>
    </dl>
  <//>`;
}

/** Notes is what the team keeps with the return. @param {{ request: Return, onChanged: () => void }} props */
function Notes({ request, onChanged }) {
  const { id, notes, tags, assignee, revision } = request;
  const initial = useMemo(() => ({ notes: notes ?? '', tags: tags ?? [], assignee: idOf(assignee) ?? null, revision }), [request]);
  const form = useForm({
    name: `return ${id}`,
    initial,
    refresh: onChanged,
    send: (changes, { revision, ...options }) =>
      api.collections.from('return-requests').update(id, /** @type {any} */ ({ ...changes, expectedRevision: revision }), options),
    onSent: () => {
      onChanged();
      tell(t('common.saved'));
    },
  });
  const input = (/** @type {'notes' | 'tags' | 'assignee'} */ name) => ({
    label: fieldLabel('return-requests', name), ...form.input(name),
  });
  return html`<${Card} title=${t('returns.team')}>
    <form id="notes" class="stack" onSubmit=${form.send}>
      <${TextField} rows=${3} ...${input('notes')} />
      <${LabelsField} ...${input('tags')} />
      ${can('users:read') && html`<${RelationField} to="users" ...${input('assignee')} />`}
    </form>
    <${FormFoot} form=${form} id="notes" slug="return-requests" />
  <//>`;
}

/**
 * @param {string} id
 * @param {AbortSignal} signal
 * @returns {Promise<ReturnData>}
 */
async function read(id, signal) {
  const request = await api.collections.from('return-requests').findById(id, { depth: 0 }, { signal });
  const of = idOf(request.order);
  const order = of && can('orders:read') ? await api.collections.from('orders').findById(of, { depth: 0 }, { signal }).catch(() => null) : null;
  return { request, order };
}
