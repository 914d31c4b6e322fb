// A file of rows to bring in. It is tried first: nothing changes until somebody has seen what would.
import { html } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { bytes } from '../../base/format.js';
import { go, href, screenOf, search } from '../../base/route.js';
import { api } from '../../base/shop.js';
import { fieldLabel, optionLabel, t } from '../../base/words.js';
import { Drop } from '../../parts/drop.js';
import { SelectField } from '../../parts/field.js';
import { FormFoot } from '../../parts/form.js';
import { Card, Empty, Page } from '../../parts/state.js';
import { hold } from './held.js';
import { importable, mayImport } from './parts.js';

/** @typedef {import('../../base/job.js').Import} Import */

const modes = /** @type {const} */ (['upsert', 'create', 'update']);

export default function Start() {
  const back = { href: href('/transfers/imports'), label: t('transfers.imports') };
  return html`<${Page} title=${t('transfers.start')} back=${back}>
    ${mayImport() ? html`<${StartForm} />` : html`<${Empty} icon="lock" title=${t('common.notYours')} />`}
  <//>`;
}

function StartForm() {
  const asked = search().get('kind') ?? '';
  const form = useForm({
    name: 'import', keep: false,
    initial: { kind: '', mode: 'upsert', file: null, stamp: '' },
    send: async (_, { idempotencyKey }) => {
      const { file, kind, mode } = form.values;
      const started = await api.jobs.startImport({ file, filename: file.name, kind: kind || asked, mode, dryRun: true }, { idempotencyKey });
      hold(started.import.id, file);
      go(screenOf('imports', started.import.id), { replace: true });
    },
  });
  const { mode, file } = form.values;
  const kind = form.values.kind || asked;
  const choose = (/** @type {File | undefined} */ chosen) => {
    form.set('file', chosen);
    // Files that differ are different input, and go out under different keys.
    form.set('stamp', chosen ? `${chosen.name} ${chosen.size} ${chosen.lastModified}` : '');
  };
  const kinds = importable(mode).map((value) => ({ value, label: optionLabel('imports', 'kind', value) }));
  return html`<${Card} class="narrow"><form id="import" class="stack" onSubmit=${(/** @type {Event} */ e) => {
      e.preventDefault();
      if (file) void form.submit();
    }}>
      <${SelectField} label=${fieldLabel('imports', 'kind')} value=${kind} options=${kinds} empty=${t('transfers.choose')} required error=${form.error('kind')}
        help=${kind && t(`transfers.columns-${kind}`)} onInput=${(/** @type {string} */ v) => form.set('kind', v)} />
      <${SelectField} label=${fieldLabel('imports', 'mode')} value=${mode} error=${form.error('mode')}
        onInput=${(/** @type {string} */ v) => form.set('mode', v)}
        options=${modes.filter((m) => importable(m).length > 0).map((value) => ({ value, label: t(`transfers.mode-${value}`) }))} />
      <${Drop} label=${file ? file.name : t('transfers.drop')} help=${file ? t('transfers.chosen', { size: bytes(file.size) }) : t('transfers.dropHelp')}
        accept=".csv,.xlsx,text/csv" error=${form.error('file')} keys="f" onFiles=${(/** @type {File[]} */ files) => choose(files[0])} />
      <p class="help">${t('transfers.tryFirst')}</p>
    </form>
    <${FormFoot} form=${form} id="import" action=${t('transfers.try')} ready=${file !== null} /><//>`;
}
