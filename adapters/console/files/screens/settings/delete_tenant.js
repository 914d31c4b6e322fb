import { html } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { number } from '../../base/format.js';
import { useQuery } from '../../base/query.js';
import { api } from '../../base/shop.js';
import { collectionLabel, t } from '../../base/words.js';
import { Dialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import { FormFoot } from '../../parts/form.js';
import { Loading, Notice, Refused } from '../../parts/state.js';
import { tell } from '../../parts/toast.js';

/** @typedef {import('../../vendor/sdk.js').OperatorAnswer<'GET /api/tenants/{id}/deletion'>} Deletion */

/**
 * DeleteTenant shows what would be gone and what stands against it, and takes the shop's handle as proof that it is meant.
 * @param {{ tenant: import('./tenants.js').Named, onClose: () => void, onChanged: () => void }} props
 */
export function DeleteTenant({ tenant: { id, name, slug }, onClose, onChanged }) {
  const { data, refusal, reload } = useQuery(`deletion ${id}`, (signal) => api.call('GET /api/tenants/{id}/deletion', { id }, { signal }));
  const form = useForm({
    name: `delete ${id}`,
    initial: { confirm: '' },
    keep: false,
    send: ({ confirm }, options) => api.call('POST /api/tenants/{id}/delete', { id, confirm }, options),
    onSent: () => {
      onChanged();
      tell(t('setup.deleted', { name }));
    },
  });
  const free = data && data.blocked.length === 0 && !data.deletion;
  const foot = free && html`<${FormFoot} form=${form} id="delete" action=${t('setup.delete')} onCancel=${onClose} danger />`;
  return html`<${Dialog} title=${t('setup.deleteTitle', { name })} onClose=${onClose} busy=${form.busy} actions=${foot}>
    ${refusal ? html`<${Refused} refusal=${refusal} again=${reload} />` : !data && html`<${Loading} lines=${5} />`}
    ${data && html`<div class="stack"><${Facts} deletion=${data} />
      ${free && html`<form id="delete" class="stack" onSubmit=${form.send}>
        <${TextField} label=${t('setup.deleteConfirm', { slug })} required autofocus mono spellcheck=${false} autocomplete="off"
          ...${form.input('confirm')} />
      </form>`}</div>`}
  <//>`;
}

/** @param {{ deletion: Deletion }} props */
function Facts({ deletion: { blocked, deletion, records, events } }) {
  if (deletion) return html`<${Notice}>${t('setup.deleting')}<//>`;
  const there = records.filter((r) => r.count > 0);
  return html`<p>${t('setup.deleteText')}</p>
    ${blocked.map((b) => html`<${Notice} key=${b.reason} kind="warn">${b.message}<//>`)}
    <details><summary>${t('setup.deleteWhat', { n: there.reduce((n, r) => n + r.count, 0), events })}</summary>
      <dl class="facts">${there.map((r) => html`<div key=${r.collection}><dt>${collectionLabel(r.collection)}</dt><dd>${number(r.count)}</dd></div>`)}</dl>
        </details>`;
}
