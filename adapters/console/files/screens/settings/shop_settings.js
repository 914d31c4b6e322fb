import { html, useMemo } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { useQuery } from '../../base/query.js';
import { fieldAt, useSchema } from '../../base/schema.js';
import { api, enter, shop } from '../../base/shop.js';
import { replaced } from '../../base/undo.js';
import { fieldLabel, t } from '../../base/words.js';
import { SelectField } from '../../parts/field.js';
import { FormFoot } from '../../parts/form.js';
import { Card, Loading, Notice, Refused } from '../../parts/state.js';
import { complain, tell } from '../../parts/toast.js';
import { numbersIn } from '../records/record.js';
import { sample } from './order_number.js';
import { ProofAbove } from './proof_above.js';
import { Facts, Inputs } from './section.js';

/** @typedef {import('../../vendor/sdk.js').Schemas['Tenant']} Tenant */
/** @typedef {import('../../base/form.js').Form} Form */

const orders = ['settings.storefrontUrl', 'settings.checkoutOrderSeparation', 'settings.unpaidOrderHours', 'settings.autoConfirmDays'];
const people = ['settings.requireEmailVerification', 'settings.passwordMinLength', 'settings.allowedOrigins'];
const all = ['name', 'slug', 'currency', 'roundingMode', 'settings.locale', 'settings.locales', 'settings.timeZone', 'settings.orderNumberFormat', ...orders,
  'settings.requireSecondFactor', 'settings.proofAbove', ...people];

/** What guards the shop is not weakened with a click. */
const guards = ['requireSecondFactor', 'proofAbove', 'requireEmailVerification', 'passwordMinLength', 'allowedOrigins'].map((name) => `settings.${name}`);

/** ShopSettings is how the shop works. @param {{ title: string }} props */
export function ShopSettings({ title }) {
  const id = shop.value?.id ?? '';
  const schema = useSchema('tenants');
  const read = (/** @type {AbortSignal} */ signal) => api.collections.from('tenants').findById(id, { depth: 0 }, { signal });
  const { data, refusal, reload } = useQuery(`tenant ${id}`, read, { live: ['tenants'], record: id });
  return html`<${Card} title=${title}>
    ${refusal ? html`<${Refused} refusal=${refusal} again=${reload} />` : (!schema || !data) && html`<${Loading} lines=${6} />`}
    ${schema && data && (schema.may.includes('update')
      ? html`<${Edit} schema=${schema} tenant=${data} reload=${reload} />`
      : html`<${Facts} schema=${schema} paths=${all} record=${data} />`)}
  <//>`;
}

/** @param {{ schema: import('../../base/schema.js').Schema, tenant: Tenant, reload: () => void }} props */
function Edit({ schema, tenant, reload }) {
  const initial = useMemo(() => ({
    name: tenant.name, slug: tenant.slug, roundingMode: tenant.roundingMode, settings: tenant.settings, revision: tenant.revision,
  }), [tenant]);
  const update = async (/** @type {any} */ values, /** @type {any} */ revision, /** @type {object} */ options) => {
    const answer = await api.collections.from('tenants').update(tenant.id, { ...numbersIn(values, schema.fields), expectedRevision: revision }, options);
    reload();
    enter().catch(complain);
    return answer;
  };
  const form = useForm({
    name: `tenant ${tenant.id}`,
    initial,
    refresh: reload,
    send: async (changes, { revision, ...options }) => {
      const { doc } = await update(changes, revision, options);
      const old = replaced(changes, form.base, guards);
      tell(t('common.saved'), old && ((again) => update(old, doc.revision, again)));
    },
  });
  const part = (/** @type {string} */ title, /** @type {any} */ content) => html`<fieldset class="part"><legend>${title}</legend><div class="pairs">
    ${content}</div></fieldset>`;
  const inputs = (/** @type {string[]} */ paths) => html`<${Inputs} schema=${schema} paths=${paths} form=${form} />`;
  const factor = form.get('settings.requireSecondFactor') && !tenant.settings.requireSecondFactor;
  return html`<form id="shop-form" class="stack" onSubmit=${form.send}>
      ${part(t('setup.basics'), html`${inputs(['name', 'slug'])}<${Facts} schema=${schema} paths=${['currency', 'plan']} record=${tenant} />
        ${inputs(['roundingMode', 'settings.locale', 'settings.locales'])}<${Zone} form=${form}
          help=${fieldAt(schema, 'settings.timeZone')?.doc} />`)}
      ${part(t('setup.orders'), html`<div class="wide">${inputs(['settings.orderNumberFormat'])}<${Sample} form=${form} /></div>${inputs(orders)}`)}
      ${part(t('setup.people'), html`${inputs(['settings.requireSecondFactor'])}
        ${factor && html`<${Notice} kind="warn">${t('setup.factorWarning')}<//>`}${inputs(people)}
        <${ProofAbove} form=${form} currency=${tenant.currency} doc=${fieldAt(schema, 'settings.proofAbove')?.doc} />`)}
    </form>
    <${FormFoot} form=${form} id="shop-form" slug="tenants" />`;
}

/** Zone chooses the time zone among those that the browser knows. @param {{ form: Form, help: string | undefined }} props */
function Zone({ form, help }) {
  const value = form.get('settings.timeZone') ?? '';
  const names = useMemo(() => [...new Set([value, 'UTC', ...Intl.supportedValuesOf('timeZone')])].filter(Boolean).sort(), [value]);
  return html`<${SelectField} label=${fieldLabel('tenants', 'settings.timeZone')} help=${help} required
    value=${value} error=${form.error('settings.timeZone')} options=${names.map((name) => ({ value: name, label: name.replaceAll('_', ' ') }))}
    onInput=${(/** @type {string} */ v) => form.set('settings.timeZone', v)} />`;
}

/** Sample is what a number of the format looks like. @param {{ form: Form }} props */
function Sample({ form }) {
  const format = form.get('settings.orderNumberFormat') ?? '';
  return html`<dl class="facts" aria-live="polite"><div><dt>${t('setup.sample')}</dt><dd><code>${sample(format) || '—'}</code></dd></div></dl>`;
}
