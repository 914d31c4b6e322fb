// One shipping policy: what delivery costs, and where it costs more.
import { html, useMemo, useRoute } from '../../vendor/ui.js';
import { useQuery } from '../../base/query.js';
import { go, href } from '../../base/route.js';
import { useSchema } from '../../base/schema.js';
import { api, can, shop } from '../../base/shop.js';
import { collectionLabel, t } from '../../base/words.js';
import { FormFoot } from '../../parts/form.js';
import { Remove } from '../../parts/remove.js';
import { Card, Page } from '../../parts/state.js';
import { numbersIn } from '../records/record.js';
import { Awaited, Facts, Inputs, useRecordForm } from './section.js';
import { Zones, typed, zonesOf } from './zones.js';

/** @typedef {import('../../vendor/sdk.js').Schemas['ShippingPolicy']} Policy */

const fees = ['baseFee', 'freeShippingThreshold', 'returnShippingFee', 'initialShippingRefund'];

export default function PolicyScreen() {
  const { id = '' } = useRoute().params;
  const fresh = id === 'new';
  const schema = useSchema('shipping-policies');
  const read = (/** @type {AbortSignal} */ signal) => api.collections.from('shipping-policies').findById(id, {}, { signal });
  const { data, refusal, reload } = useQuery(fresh ? '' : `policy ${id}`, read, { live: ['shipping-policies'], record: id });
  const back = { href: href('/settings'), label: t('setup.title') };
  const title = fresh ? t('setup.policyNew') : (data?.title ?? collectionLabel('shipping-policies', 'one'));
  if (!schema || (!fresh && !data)) return html`<${Awaited} ...${{ title, back, schema, refusal, reload }} />`;
  if (!schema.may.includes(fresh ? 'create' : 'update')) {
    return html`<${Page} title=${title} back=${back} class="single"><${Card}><${Facts} schema=${schema} paths=${fees} record=${data} /><//><//>`;
  }
  return html`<${Editor} key=${id} schema=${schema} policy=${data} title=${title} back=${back} refusal=${refusal} reload=${reload} />`;
}

/**
 * @typedef {object} EditorProps
 * @property {import('../../base/schema.js').Schema} schema
 * @property {Policy | undefined} policy
 * @property {string} title
 * @property {{ href: string, label: string }} back
 * @property {import('../../base/refusal.js').Refusal | undefined} refusal
 * @property {() => void} reload
 */

/** @param {EditorProps} props */
function Editor({ schema, policy, title, back, refusal, reload }) {
  const policies = api.collections.from('shipping-policies');
  const initial = useMemo(() => (policy ? { ...policy, zones: typed(policy.zones) }
    : { title: '', baseFee: '', currency: shop.value?.currency ?? null, zones: [] }), [policy]);
  const sent = (/** @type {any} */ { zones, ...values }) =>
    /** @type {any} */ ({ ...numbersIn(values, schema.fields), ...(zones && { zones: zonesOf(zones) }) });
  const form = useRecordForm({
    slug: 'shipping-policies', record: policy, initial, fresh: { currency: initial.currency }, sent, reload,
    stays: ['isDefault'], // what was the default before is another policy
  });
  const top = policy && can('shipping-policies:delete') && html`<${Remove} from=${policies} id=${policy.id} keys="d"
    title=${t('setup.policyDelete', { name: policy.title })} text=${t('setup.policyDeleteText')} then=${() => go('/settings')} />`;
  return html`<${Page} title=${title} back=${back} top=${top} class="single" ...${{ refusal, again: reload }}>
    <form id="policy" class="stack" onSubmit=${form.send}>
      <${Card}><${Inputs} schema=${schema} paths=${['title']} form=${form} />
        <div class="pairs"><${Inputs} schema=${schema} paths=${fees} form=${form} /></div>
        <${Inputs} schema=${schema} paths=${['countries', 'isDefault']} form=${form} /><//>
      <${Zones} form=${form} currency=${form.values.currency ?? shop.value?.currency ?? ''} />
    </form>
    <div class="foot-bar"><${FormFoot} form=${form} id="policy" slug="shipping-policies" saves /></div>
  <//>`;
}
