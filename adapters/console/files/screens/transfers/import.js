// One import or its trial: how far it is, what became of the rows, and what to do next.
import { html, useRoute, useState } from '../../vendor/ui.js';
import { ended, useJob } from '../../base/job.js';
import { useShortcuts } from '../../base/keys.js';
import { go, href, screenOf } from '../../base/route.js';
import { save } from '../../base/save.js';
import { api } from '../../base/shop.js';
import { collectionLabel, optionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { confirm } from '../../parts/dialog.js';
import { Progress } from '../../parts/progress.js';
import { Absent, Badge, Card, Notice, Page } from '../../parts/state.js';
import { complain, tell } from '../../parts/toast.js';
import { Time } from '../../parts/value.js';
import { heldFile } from './held.js';
import { importable } from './parts.js';
import { Rows } from './rows.js';

/** @typedef {import('../../base/job.js').Import} Import */

export default function ImportScreen() {
  const { id = '' } = useRoute().params;
  const { job, refusal, reload } = useJob('imports', id);
  const back = { href: href('/transfers/imports'), label: t('transfers.imports') };
  const title = job?.fileName ?? collectionLabel('imports', 'one');
  if (!job) return html`<${Absent} title=${title} back=${back} refusal=${refusal} again=${reload} />`;
  const badges = job.dryRun && html`<${Badge} tone="info">${t('transfers.trial')}<//>`;
  return html`<${Page} title=${title} back=${back} badges=${badges} top=${html`<${Actions} job=${job} onChanged=${reload} />`}>
    <p class="under">${optionLabel('imports', 'kind', job.kind)} · ${t(`transfers.mode-${job.mode}`)} · <${Time} at=${job.createdAt} /></p>
    <${Outcome} job=${job} />
    <${Card} title=${t('transfers.rows')}>
      <${Progress} slug="imports" job=${job} />
      <${Rows} job=${job} key=${job.id} />
    <//>
  <//>`;
}

/** Outcome says what has happened, or would. @param {{ job: Import }} props */
function Outcome({ job }) {
  const { applied, unchanged, rejected, dryRun, status } = job;
  if (job.problem) return html`<${Notice} kind="bad">${job.problem}<//>`;
  if (status === 'canceled') return html`<${Notice} kind="warn">${t(dryRun ? 'transfers.trialCanceled' : 'transfers.importCanceled', { n: applied })}<//>`;
  if (status !== 'done') return html`<${Notice}>${t(dryRun ? 'transfers.trying' : 'transfers.importing')}<//>`;
  const values = { n: applied, unchanged, rejected };
  if (!dryRun) return html`<${Notice} kind=${rejected > 0 ? 'warn' : 'good'}>${t(rejected > 0 ? 'transfers.didSome' : 'transfers.did', values)}<//>`;
  const again = html`<${Button} href=${href(`/transfers/new?kind=${job.kind}`)}>${t('transfers.chooseAgain')}<//>`;
  return html`<${Notice} kind=${rejected > 0 ? 'warn' : 'info'} action=${!heldFile(job.id) && applied > 0 && again}>
    <b>${t('transfers.nothingYet')}</b> ${t(applied === 0 ? 'transfers.wouldNothing' : rejected > 0 ? 'transfers.wouldSome' : 'transfers.would', values)}<//>`;
}

/** @param {{ job: Import, onChanged: () => void }} props */
function Actions({ job, onChanged }) {
  const [busy, setBusy] = useState('');
  const held = heldFile(job.id);
  const ready = job.dryRun && job.status === 'done' && held !== undefined && job.applied > 0 && importable(job.mode).includes(job.kind);

  /** act does one thing at a time. @param {string} name @param {() => Promise<void>} work */
  const act = async (name, work) => {
    setBusy(name);
    await work().catch(complain);
    setBusy('');
  };
  const begin = async () => {
    if (!held) return;
    const text = t(job.rejected > 0 ? 'transfers.beginSome' : 'transfers.beginText', { n: job.applied, rejected: job.rejected });
    if (!(await confirm({ title: t('transfers.begin', { n: job.applied }), text, action: t('transfers.begin', { n: job.applied }) }))) return;
    await act('begin', async () => {
      const { file, idempotencyKey } = held;
      const started = await api.jobs.startImport({ file, filename: file.name, kind: job.kind, mode: job.mode }, { idempotencyKey });
      go(screenOf('imports', started.import.id));
    });
  };
  const cancel = async () => {
    if (!job.dryRun && !(await confirm({ title: t('transfers.cancel'), text: t('transfers.cancelText'), action: t('transfers.cancel'), danger: true }))) return;
    await act('cancel', async () => {
      await api.call('POST /api/imports/{id}/cancel', { id: job.id });
      tell(t('transfers.canceled'));
      onChanged();
    });
  };
  const report = () => act('report', async () => {
    const name = (job.fileName ?? job.kind).replace(/\.\w+$/, '');
    save(await api.file('GET /api/imports/{id}/report', { id: job.id }), t('transfers.reportName', { name }));
  });
  useShortcuts([
    ...(ready ? [{ keys: 'n', label: t('transfers.begin', { n: job.applied }), run: () => void begin() }] : []),
    ...(job.rejected > 0 ? [{ keys: 'd', label: t('transfers.report'), run: () => void report() }] : []),
  ]);
  return html`${!ended(job) && html`<${Button} icon="ban" busy=${busy === 'cancel'} disabled=${job.cancelRequested}
    onClick=${cancel}>${t('transfers.cancel')}<//>`}
    ${job.rejected > 0 && html`<${Button} icon="download" busy=${busy === 'report'} onClick=${report}>${t('transfers.report')}<//>`}
    ${ready && html`<${Button} look="primary" icon="upload" keys="n" busy=${busy === 'begin'}
      onClick=${begin}>${t('transfers.begin', { n: job.applied })}<//>`}`;
}
