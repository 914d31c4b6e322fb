import { html } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { api, environment } from '../../base/shop.js';
import { fieldLabel, helpOf, optionLabel, t } from '../../base/words.js';
import { CheckField, SelectField, TextField } from '../../parts/field.js';
import { FormDialog } from '../../parts/form.js';
import { Notice } from '../../parts/state.js';

/**
 * MakeKey makes an API key, of the environment that is shown unless another one is chosen.
 * @param {{ onClose: () => void, onMade: (key: string) => void }} props
 */
export function MakeKey({ onClose, onMade }) {
  const form = useForm({
    name: 'key',
    initial: { name: '', kind: 'secret', environment: environment.value, read: true, write: true },
    keep: false,
    send: async (_, options) => {
      const { name, kind, environment, read, write } = form.values;
      const scopes = kind === 'secret' ? /** @type {('read' | 'write')[]} */ ([...(read ? ['read'] : []), ...(write ? ['write'] : [])]) : undefined;
      const { key } = await api.call('POST /api/api-keys', { name, kind, environment, ...(scopes && { scopes }) }, options);
      onClose();
      onMade(key);
    },
  });
  const select = (/** @type {string} */ name, /** @type {string[]} */ options) => html`<${SelectField} label=${fieldLabel('api-keys', name)}
    help=${helpOf('api-keys', name)}
    required value=${form.values[name]} error=${form.error(name)} onInput=${(/** @type {string} */ v) => form.set(name, v)}
    options=${options.map((value) => ({ value, label: optionLabel('api-keys', name, value) }))} />`;
  const scope = (/** @type {string} */ name) => html`<${CheckField} label=${optionLabel('api-keys', 'scopes', name)} value=${form.values[name]}
    wrong=${Boolean(form.error('scopes'))} onInput=${(/** @type {boolean} */ v) => form.set(name, v)} />`;
  const { kind, environment: of, read, write } = form.values;
  return html`<${FormDialog} form=${form} id="key" title=${t('team.keyNew')} action=${t('team.keyNew')} onClose=${onClose}>
    <${TextField} label=${fieldLabel('api-keys', 'name')} help=${t('team.keyName')} required autofocus ...${form.input('name')} />
    ${select('kind', ['secret', 'client'])}${select('environment', ['live', 'test'])}
    ${kind === 'secret' && html`<fieldset class="stack group"><legend>${fieldLabel('api-keys', 'scopes')}</legend>${scope('read')}${scope('write')}
      ${form.error('scopes') && html`<p class="error">${form.error('scopes')}</p>`}</fieldset>`}
    ${kind === 'secret' && of === 'live' && write && html`<${Notice} kind="warn">${t('team.keyStrong')}<//>`}
    ${kind === 'secret' && !read && !write && html`<${Notice} kind="warn">${t('team.noScope')}<//>`}
  <//>`;
}
