import { html } from '../../vendor/ui.js';
import { fieldLabel, humanize, language, t } from '../../base/words.js';
import { PasswordField, TextField } from '../../parts/field.js';

/**
 * given is the credentials that were typed; undefined for none, which leaves those before.
 * @param {Record<string, string> | undefined} credentials
 */
export function given(credentials) {
  const typed = Object.entries(credentials ?? {}).filter(([, value]) => value?.trim());
  return typed.length > 0 ? Object.fromEntries(typed.map(([name, value]) => [name, value.trim()])) : undefined;
}

/**
 * known is the word for what a provider calls its own: the API tells it in English alone.
 * @param {string} name such as `key-secretKey`
 */
export function known(name) {
  const word = t(`setup.of-${name}`);
  return word.endsWith(`.of-${name}`) ? undefined : word;
}

/** sentence begins a description as a sentence does. @param {string} text */
export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * Credentials are the keys of an account. The shop replaces them as a whole, so who changes one types all of them.
 * @param {{ form: import('../../base/form.js').Form, provider: import('./connection.js').Provider, fresh: boolean }} props
 */
export function Credentials({ form, provider, fresh }) {
  const label = fieldLabel('provider-connections', 'credentials');
  const typed = given(form.values.credentials) !== undefined;
  const one = (/** @type {import('./connection.js').Provider['credentials'][number]} */ { name, description, requiredFor, secret }) =>
    html`<${secret ? PasswordField : TextField} key=${name}
    label=${known(`key-${name}`) ?? humanize(name)}
    help=${language.value === 'ko' && known(`key-${name}`) ? undefined : sentence(description)} mono autocomplete="off" spellcheck=${false}
    required=${(fresh || typed) && provider.credentials.length === 1 && requiredFor.length > 0 && provider.name !== 'sandbox'}
    value=${form.get(`credentials.${name}`) ?? ''} error=${form.error(`credentials.${name}`)}
      onInput=${(/** @type {string} */ v) => form.set(`credentials.${name}`, v)} />`;
  return html`${provider.credentials.length > 0 && html`<fieldset class="stack group"><legend>${label}</legend>
      <p class="help">${t(fresh ? 'setup.secrets' : 'setup.secretsKept')}</p>
      ${provider.credentials.map(one)}
      ${form.refusal?.fields.credentials && html`<p class="error">${form.refusal.fields.credentials}</p>`}
    </fieldset>`}
    ${provider.signsWebhooks && html`<${PasswordField} label=${fieldLabel('provider-connections', 'webhookSecrets')}
      help=${t(fresh ? 'setup.webhookSecret' : 'setup.webhookSecretKept')}
      mono autocomplete="off" ...${form.input('webhookSecret')} error=${form.error('webhookSecrets')} />`}`;
}
