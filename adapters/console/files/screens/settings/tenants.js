// What the platform does to shops: list them, stop one, take it away as a file, delete it for ever.
import { html, useState } from '../../vendor/ui.js';
import { number } from '../../base/format.js';
import { useQuery } from '../../base/query.js';
import { go } from '../../base/route.js';
import { pageSize, useRows } from '../../base/rows.js';
import { save } from '../../base/save.js';
import { api, shop, shops, workIn } from '../../base/shop.js';
import { fieldLabel, optionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { confirm } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import { Badge, Card, Empty, Loading, Notice, Refused } from '../../parts/state.js';
import { Table } from '../../parts/table.js';
import { complain, tell } from '../../parts/toast.js';
import { Status, Time } from '../../parts/value.js';
import { DeleteTenant } from './delete_tenant.js';
import { SuspendTenant } from './suspend_tenant.js';

/** @typedef {import('../../vendor/sdk.js').OperatorAnswer<'GET /api/tenants/{id}/deletion'>} Deletion */
/** @typedef {{ id: string, name: string, slug: string }} Named */

/** @typedef {import('../../vendor/sdk.js').OperatorAnswer<'GET /api/platform/tenants'>['tenants'][number]} Shop */

/** Columns of the shops. @returns {import('../../parts/table.js').Column[]} */
const columns = () => [
  { key: 'name', label: fieldLabel('tenants', 'name'), cell: (/** @type {Shop} */ s) => s.name },
  { key: 'slug', label: fieldLabel('tenants', 'slug'), cell: (/** @type {Shop} */ s) => html`<code>${s.slug}</code>` },
  { key: 'plan', label: fieldLabel('tenants', 'plan'), cell: (/** @type {Shop} */ s) => optionLabel('tenants', 'plan', s.plan) },
  { key: 'status', label: fieldLabel('tenants', 'status'), cell: (/** @type {Shop} */ s) => html`<${Status} slug="tenants" path="status" value=${s.status} />` },
  { key: 'used', label: t('setup.calls'), align: 'end', cell: (/** @type {Shop} */ s) => (s.limit == null ? number(s.used) : `${number(s.used)} / ${number(s.limit)}`) },
];

/**
 * Tenants lists all shops of the installation, and shows one.
 * @param {{ title: string }} props
 */
export function Tenants({ title }) {
  const [q, setQ] = useState('');
  const [id, setId] = useState('');
  const read = async (/** @type {number} */ page, /** @type {AbortSignal} */ signal) => {
    const { tenants, totalDocs } = await api.call('GET /api/platform/tenants', { ...(q && { q }), page, limit: pageSize }, { signal });
    return { docs: tenants, totalDocs };
  };
  const rows = useRows(`shops ${q}`, read, ['tenants']);
  const card = (/** @type {Shop} */ s) => html`<span class="person-card"><b>${s.name}</b><span>${s.slug} · ${optionLabel('tenants', 'status', s.status)}</span></span>`;
  return html`<${Card} title=${title}>
    <p class="help">${t('setup.shopsText')}</p>
    <${TextField} label=${t('list.search')} type="search" spellcheck=${false} value=${q} onInput=${setQ} />
    <${Table} label=${title} columns=${columns()} rows=${rows} card=${card} onOpen=${(/** @type {Shop} */ s) => setId(s.id)}
      empty=${html`<${Empty} icon="search" title=${t('list.nothingFound')} />`} />
    ${id && html`<${One} key=${id} id=${id} onChanged=${rows.reload} />`}
  <//>`;
}

/** @param {{ id: string, onChanged: () => void }} props */
function One({ id, onChanged }) {
  const { data, refusal, reload } = useQuery(`deletion ${id}`, (signal) => api.call('GET /api/tenants/{id}/deletion', { id }, { signal }));
  const [open, setOpen] = useState('');
  const [busy, setBusy] = useState(false);
  if (!data) return refusal ? html`<${Refused} refusal=${refusal} again=${reload} />` : html`<${Loading} />`;
  if (data.deletion) return html`<${Notice}>${t(data.deletion.finishedAt ? 'setup.isDeleted' : 'setup.deleting')}<//>`;
  const tenant = { id, name: data.name ?? '', slug: data.slug ?? '' };
  const { name } = tenant;
  const works = data.blocked.some((b) => b.reason === 'tenant_not_suspended');
  const there = works && shops.value.find((s) => s.id === id);
  const changed = () => {
    setOpen('');
    reload();
    onChanged();
  };
  const resume = async () => {
    if (!(await confirm({ title: t('setup.resume'), text: t('setup.resumeText', { name }), action: t('setup.resume') }))) return;
    await api.call('POST /api/tenants/{id}/resume', { id }).then(() => tell(t('setup.resumed', { name })), complain);
    changed();
  };
  const take = async () => {
    setBusy(true);
    await api.file('GET /api/tenants/{id}/export', { id }).then((file) => save(file, `${tenant.slug}.zip`), complain);
    setBusy(false);
    changed();
  };
  const own = { tenant, onClose: () => setOpen(''), onChanged: changed };
  return html`<div class="policy">
    <h3>${name} <${Badge} tone=${works ? 'good' : 'bad'}>${t(works ? 'setup.works' : 'setup.stopped')}<//>
      ${id === shop.value?.id && html`<${Badge} tone="info">${t('setup.here')}<//>`}</h3>
    <p><small><code>${tenant.slug}</code>${data.export?.at && html` · ${t('setup.exported')} <${Time} at=${data.export.at} relative />`}</small></p>
    <div class="actions">
      ${there && id !== shop.value?.id && html`<${Button} icon="store" onClick=${() => workIn(there).then(() => go('/'), complain)}>${t('setup.workThere')}<//>`}
      ${works ? html`<${Button} icon="pause" onClick=${() => setOpen('suspend')}>${t('setup.suspend')}<//>`
        : html`<${Button} icon="play" onClick=${resume}>${t('setup.resume')}<//>`}
      <${Button} icon="download" busy=${busy} onClick=${take}>${t(busy ? 'setup.exporting' : 'setup.export')}<//>
      <${Button} icon="trash" onClick=${() => setOpen('delete')}>${t('setup.delete')}<//>
    </div>
    ${open === 'suspend' && html`<${SuspendTenant} ...${own} />`}
    ${open === 'delete' && html`<${DeleteTenant} ...${own} />`}
  </div>`;
}
