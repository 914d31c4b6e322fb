// One account of the shop at a payment provider. What it is opened with is written, and never shown again.
import { html, useMemo, useRoute } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { useQuery } from '../../base/query.js';
import { go, href } from '../../base/route.js';
import { api, can, environment } from '../../base/shop.js';
import { collectionLabel, fieldLabel, helpOf, optionLabel, t } from '../../base/words.js';
import { CheckField, SelectField, TextField } from '../../parts/field.js';
import { FormFoot } from '../../parts/form.js';
import { Remove } from '../../parts/remove.js';
import { Absent, Badge, Card, Notice, Page } from '../../parts/state.js';
import { Timeline } from '../../parts/timeline.js';
import { tell } from '../../parts/toast.js';
import { Choices } from './choices.js';
import { Credentials, given, known, sentence } from './credentials.js';
import { TryConnection } from './try_connection.js';
import { WebhookAddress } from './webhook_address.js';

/** @typedef {import('../../vendor/sdk.js').Schemas['ProviderConnection']} Connection */
/** @typedef {import('../../vendor/sdk.js').OperatorAnswer<'GET /api/payment-providers'>['providers'][number]} Provider */

export default function ConnectionScreen() {
  const { id = '' } = useRoute().params;
  const fresh = id === 'new';
  const read = async (/** @type {AbortSignal} */ signal) => {
    const [{ providers }, connection] = await Promise.all([
      api.call('GET /api/payment-providers', {}, { signal }),
      fresh ? null : api.collections.from('provider-connections').findById(id, {}, { signal }),
    ]);
    return { providers, connection };
  };
  const { data, refusal, reload } = useQuery(`connection ${id}`, read, { live: ['provider-connections'], record: id });
  const back = { href: href('/settings'), label: t('setup.title') };
  const title = fresh ? t('setup.paymentNew') : (data?.connection?.name ?? collectionLabel('provider-connections', 'one'));
  if (!data) return html`<${Absent} title=${title} back=${back} class="single" refusal=${refusal} again=${reload} gone=${t('setup.paymentGone')} />`;
  return html`<${Editor} key=${id} ...${data} title=${title} back=${back} refusal=${refusal} reload=${reload} />`;
}

/**
 * @param {{ providers: Provider[], connection: Connection | null, title: string, back: { href: string, label: string },
 *   refusal: import('../../base/refusal.js').Refusal | undefined, reload: () => void }} props
 */
function Editor({ providers, connection, title, back, refusal, reload }) {
  const initial = useMemo(() => connection
    ?? { name: '', provider: '', environment: environment.value, accountKey: '', enabled: true, enabledMethods: [] }, [connection]);
  const connections = api.collections.from('provider-connections');
  const form = useForm({
    name: `connection ${connection?.id ?? 'new'}`,
    initial,
    // Nothing of it is written down in the browser: it has secrets.
    keep: false,
    refresh: reload,
    send: async ({ credentials, webhookSecret, ...changes }, { revision, ...options }) => {
      const sent = { ...changes, ...(given(credentials) && { credentials: given(credentials) }),
        ...(webhookSecret && { webhookSecrets: webhookSecret.split(/\s+/).filter(Boolean) }) };
      const { doc } = connection
        ? await connections.update(connection.id, { ...sent, expectedRevision: revision }, options)
        : await connections.create(/** @type {any} */ ({ ...initial, ...sent }), options);
      tell(t('common.saved'));
      if (connection) reload();
      else go(`/settings/payments/${doc.id}`, { replace: true });
    },
  });
  const may = can(connection ? 'provider-connections:update' : 'provider-connections:create');
  const top = connection && can('provider-connections:delete') && html`<${Remove} from=${connections} id=${connection.id} keys="d"
    title=${t('setup.paymentDelete', { name: title })} text=${t('setup.paymentDeleteText')} then=${() => go('/settings')} />`;
  const provider = providers.find((p) => p.name === form.values.provider);
  const badge = connection && html`<${Badge} tone=${connection.environment === 'live' ? 'good' : 'wait'}>
    ${optionLabel('provider-connections', 'environment', connection.environment)}<//>`;
  return html`<${Page} title=${title} back=${back} top=${top} badges=${badge} class="single" ...${{ refusal, again: reload }}>
    <${Card}><form id="connection" class="stack" onSubmit=${form.send}>
        <${Account} form=${form} providers=${providers} provider=${provider} fresh=${!connection} />
        ${provider && html`<${Credentials} form=${form} provider=${provider} fresh=${!connection} /><${Rest} form=${form} provider=${provider} />`}
      </form>
      ${may ? html`<${FormFoot} form=${form} id="connection" slug="provider-connections" saves />` : html`<${Notice}>${t('setup.readOnly')}<//>`}<//>
    ${connection && may && html`<${TryConnection} key=${connection.revision} id=${connection.id} provider=${provider?.title ?? connection.provider} />`}
    ${connection && html`<${WebhookAddress} id=${connection.id} signs=${provider?.signsWebhooks ?? false} />
      <${Timeline} slug="provider-connections" id=${connection.id} live=${['provider-connections']} />`}
  <//>`;
}

/** help is what the schema's words say of a field. @param {string} name */
const help = (name) => helpOf('provider-connections', name);

/** @param {{ form: import('../../base/form.js').Form, providers: Provider[], provider: Provider | undefined, fresh: boolean }} props */
function Account({ form, providers, provider, fresh }) {
  const same = (/** @type {string} */ name) => ({
    label: fieldLabel('provider-connections', name), required: true, ...form.input(name),
  });
  const environments = ['test', 'live'].map((value) => ({ value, label: optionLabel('provider-connections', 'environment', value) }));
  return html`${fresh && html`<div class="two">
      <${SelectField} ...${same('provider')} empty="—" options=${providers.map((p) => ({ value: p.name, label: p.title }))} />
      <${SelectField} ...${same('environment')} help=${help('environment')} options=${environments} />
    </div>`}
    ${!fresh && html`<dl class="facts">
      <div><dt>${fieldLabel('provider-connections', 'provider')}</dt><dd>${provider?.title ?? form.values.provider}</dd></div>
      <div><dt>${fieldLabel('provider-connections', 'accountKey')}</dt><dd><code>${form.values.accountKey}</code></dd></div></dl>`}
    <${TextField} ...${same('name')} help=${help('name')} />
    ${provider && fresh && html`<${TextField} ...${same('accountKey')}
      help=${known(`account-${provider.name}`) ?? sentence(provider.account)} mono spellcheck=${false} autocomplete="off" />`}`;
}

/** @param {{ form: import('../../base/form.js').Form, provider: Provider }} props */
function Rest({ form, provider }) {
  const check = (/** @type {string} */ name) => html`<${CheckField} label=${fieldLabel('provider-connections', name)} help=${help(name)}
    error=${form.error(name)}
    value=${form.values[name] ?? false} onInput=${(/** @type {boolean} */ v) => form.set(name, v)} />`;
  const captures = ['automatic', 'on_shipping', 'manual'].map((value) => ({ value, label: optionLabel('provider-connections', 'capture', value) }));
  return html`${provider.methods.length > 0 && html`<${Choices} form=${form} slug="provider-connections" name="enabledMethods" options=${provider.methods} />`}
    ${provider.capturesLater && html`<${SelectField} label=${fieldLabel('provider-connections', 'capture')} help=${help('capture')}
      error=${form.error('capture')}
      value=${form.values.capture ?? 'automatic'} options=${captures} onInput=${(/** @type {string} */ v) => form.set('capture', v)} />`}
    ${check('enabled')}${check('isDefault')}`;
}
