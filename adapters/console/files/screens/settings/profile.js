import { html, useMemo } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { useQuery } from '../../base/query.js';
import { useSchema } from '../../base/schema.js';
import { api, writer } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { FormFoot } from '../../parts/form.js';
import { Card, Loading, Refused } from '../../parts/state.js';
import { tell } from '../../parts/toast.js';
import { Facts, Inputs } from './section.js';

/** @typedef {import('../../vendor/sdk.js').Schemas['ShopProfile']} ShopProfile */

const business = ['businessName', 'representative', 'registrationNumber', 'mailOrderNumber', 'email', 'phone'];
const rest = ['logo', 'address', 'returnAddress', 'policies', 'mail', 'mailsOff'];

/** Profile is who is behind the shop: what buyers read on receipts and below every page. @param {{ title: string }} props */
export function Profile({ title }) {
  const schema = useSchema('shop-profiles');
  const read = async (/** @type {AbortSignal} */ signal) =>
    (await api.collections.from('shop-profiles').find({ limit: 1, depth: 0 }, { signal })).docs[0] ?? null;
  const { data, refusal, reload } = useQuery('shop-profile', read, { live: ['shop-profiles'] });
  return html`<${Card} title=${title}>
    ${refusal ? html`<${Refused} refusal=${refusal} again=${reload} />` : (!schema || data === undefined) && html`<${Loading} lines=${6} />`}
    ${schema && data !== undefined && (schema.may.includes('update')
      ? html`<${Edit} key=${data?.id} schema=${schema} profile=${data} reload=${reload} />`
      : html`<${Facts} schema=${schema} paths=${business} record=${data ?? {}} />`)}
  <//>`;
}

/** @param {{ schema: import('../../base/schema.js').Schema, profile: ShopProfile | null, reload: () => void }} props */
function Edit({ schema, profile, reload }) {
  const initial = useMemo(() => profile ?? {}, [profile]);
  const profiles = writer('shop-profiles');
  const form = useForm({
    name: 'shop-profile',
    initial,
    refresh: reload,
    send: (changes, { revision, ...options }) => (profile
      ? profiles.update(profile.id, { ...changes, expectedRevision: revision }, options)
      : profiles.create(changes, options)),
    onSent: () => {
      reload();
      tell(t('common.saved'));
    },
  });
  return html`<form id="profile-form" class="stack" onSubmit=${form.send}>
      <p class="help">${t('setup.profileText')}</p>
      <div class="pairs"><${Inputs} schema=${schema} paths=${business} form=${form} /></div>
      <details open=${form.error('address') || form.error('returnAddress') || form.error('policies') || form.error('mail') ? true : undefined}><summary>
        ${t('setup.profileMore')}</summary>
        <div class="stack"><${Inputs} schema=${schema} paths=${rest} form=${form} /></div></details>
    </form>
    <${FormFoot} form=${form} id="profile-form" slug="shop-profiles" />`;
}
