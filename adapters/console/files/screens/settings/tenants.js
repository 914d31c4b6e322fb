// What the platform does to a shop: stop it, take it away as a file, delete it for ever.
import { html, useState } from '../../vendor/ui.js';
import { useQuery } from '../../base/query.js';
import { save } from '../../base/save.js';
import { api, shop } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { confirm } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import { Badge, Card, Loading, Notice, Refused } from '../../parts/state.js';
import { complain, tell } from '../../parts/toast.js';
import { Time } from '../../parts/value.js';
import { DeleteTenant } from './delete_tenant.js';
import { SuspendTenant } from './suspend_tenant.js';

/** @typedef {import('../../vendor/sdk.js').OperatorAnswer<'GET /api/tenants/{id}/deletion'>} Deletion */
/** @typedef {{ id: string, name: string, slug: string }} Named */

/**
 * Tenants shows a shop by its id: the API lists no shops that one does not work in.
 * @param {{ title: string }} props
 */
export function Tenants({ title }) {
  const [text, setText] = useState('');
  const [id, setId] = useState('');
  const show = (/** @type {Event} */ e) => {
    e.preventDefault();
    setId(text.trim());
  };
  return html`<${Card} title=${title}>
    <p class="help">${t('setup.shopsText')}</p>
    <form class="secret-row" onSubmit=${show}>
      <${TextField} class="grow" label=${t('setup.shopId')} mono spellcheck=${false} autocomplete="off" required value=${text} onInput=${setText} />
      <${Button} type="submit" icon="search">${t('setup.show')}<//>
    </form>
    ${id && html`<${One} key=${id} id=${id} />`}
  <//>`;
}

/** @param {{ id: string }} props */
function One({ id }) {
  const { data, refusal, reload } = useQuery(`deletion ${id}`, (signal) => api.call('GET /api/tenants/{id}/deletion', { id }, { signal }));
  const [open, setOpen] = useState('');
  const [busy, setBusy] = useState(false);
  if (!data) return refusal ? html`<${Refused} refusal=${refusal} again=${reload} />` : html`<${Loading} />`;
  if (data.deletion) return html`<${Notice}>${t(data.deletion.finishedAt ? 'setup.isDeleted' : 'setup.deleting')}<//>`;
  const tenant = { id, name: data.name ?? '', slug: data.slug ?? '' };
  const { name } = tenant;
  const works = data.blocked.some((b) => b.reason === 'tenant_not_suspended');
  const changed = () => {
    setOpen('');
    reload();
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
      ${works ? html`<${Button} icon="pause" onClick=${() => setOpen('suspend')}>${t('setup.suspend')}<//>`
        : html`<${Button} icon="play" onClick=${resume}>${t('setup.resume')}<//>`}
      <${Button} icon="download" busy=${busy} onClick=${take}>${t(busy ? 'setup.exporting' : 'setup.export')}<//>
      <${Button} icon="trash" onClick=${() => setOpen('delete')}>${t('setup.delete')}<//>
    </div>
    ${open === 'suspend' && html`<${SuspendTenant} ...${own} />`}
    ${open === 'delete' && html`<${DeleteTenant} ...${own} />`}
  </div>`;
}
