// One export: what it has, how far it is, and its file.
import { html, useRoute } from '../../vendor/ui.js';
import { bytes, number } from '../../base/format.js';
import { download, ended, useJob } from '../../base/job.js';
import { useShortcuts } from '../../base/keys.js';
import { href } from '../../base/route.js';
import { api } from '../../base/shop.js';
import { collectionLabel, fieldLabel, optionLabel, t } from '../../base/words.js';
import { useAttempt } from '../../parts/acts.js';
import { Button } from '../../parts/button.js';
import { Progress } from '../../parts/progress.js';
import { Absent, Badge, Card, Notice, Page } from '../../parts/state.js';
import { tell } from '../../parts/toast.js';
import { Time } from '../../parts/value.js';

/** @typedef {import('../../base/job.js').Export} Export */

export default function ExportScreen() {
  const { id = '' } = useRoute().params;
  const { job, refusal, reload } = useJob('exports', id);
  const back = { href: href('/transfers'), label: t('transfers.exports') };
  const title = job?.fileName ?? (job ? optionLabel('exports', 'kind', job.kind) : collectionLabel('exports', 'one'));
  if (!job) return html`<${Absent} title=${title} back=${back} refusal=${refusal} again=${reload} />`;
  return html`<${Page} title=${title} back=${back} top=${html`<${Actions} job=${job} onChanged=${reload} />`}>
    <${Card} class="narrow">
      <${Progress} slug="exports" job=${job} />
      ${job.problem && html`<${Notice} kind="bad">${job.problem}<//>`}
      ${job.status === 'done' && html`<${Notice} kind="good">${t('transfers.exportDone')} <${Time} at=${job.expiresAt} /><//>`}
      <${Facts} job=${job} />
    <//>
  <//>`;
}

/** @param {{ job: Export, onChanged: () => void }} props */
function Actions({ job, onChanged }) {
  const [busy, attempt] = useAttempt(onChanged);
  const get = () => attempt(() => download(job));
  const cancel = () => attempt(async () => {
    await api.call('POST /api/exports/{id}/cancel', { id: job.id });
    tell(t('transfers.canceled'));
  });
  const done = job.status === 'done';
  useShortcuts(done ? [{ keys: 'd', label: t('list.download'), run: () => void get() }] : []);
  if (done) return html`<${Button} look="primary" icon="download" busy=${busy} onClick=${get} keys="d">${t('list.download')}<//>`;
  return !ended(job) && html`<${Button} icon="ban" busy=${busy} disabled=${job.cancelRequested} onClick=${cancel}>${t('transfers.cancel')}<//>`;
}

/** @param {{ job: Export }} props */
function Facts({ job }) {
  const fact = (/** @type {string} */ name, /** @type {any} */ value) => html`<div><dt>${fieldLabel('exports', name)}</dt><dd>${value}</dd></div>`;
  return html`<dl class="facts">
    ${fact('kind', optionLabel('exports', 'kind', job.kind))}
    ${fact('format', html`${job.format.toUpperCase()} ${job.fileSize !== null && html`· ${bytes(job.fileSize)}`}`)}
    ${fact('total', number(job.total))}
    ${job.q && fact('q', job.q)}
    ${fact('where', job.where ? html`<${Badge}>${t('transfers.filtered')}<//>` : t('transfers.all'))}
    ${fact('columns', job.columns.length > 0 ? job.columns.join(', ') : t('list.columnsAll'))}
    ${fact('createdAt', html`<${Time} at=${job.createdAt} />`)}
    ${fact('endedAt', html`<${Time} at=${job.endedAt} />`)}
  </dl>`;
}
