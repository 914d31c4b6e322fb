// One tax rate: what an authority asks, and where, by the names of places.
import { html, useMemo, useRoute } from '../../vendor/ui.js';
import { useQuery } from '../../base/query.js';
import { go, href } from '../../base/route.js';
import { useSchema } from '../../base/schema.js';
import { api, can } from '../../base/shop.js';
import { collectionLabel, fieldLabel, helpOf, t } from '../../base/words.js';
import { useAddressForm, useCountries } from '../../parts/address.js';
import { SelectField, TextField } from '../../parts/field.js';
import { FormFoot } from '../../parts/form.js';
import { Remove } from '../../parts/remove.js';
import { Card, Page } from '../../parts/state.js';
import { numbersIn } from '../records/record.js';
import { Choices } from './choices.js';
import { Awaited, Facts, Inputs, useRecordForm } from './section.js';

/** @typedef {import('../../vendor/sdk.js').Schemas['TaxRate']} Rate */

const first = ['name', 'percent'];
const classes = ['standard', 'reduced', 'zero'];
const where = ['postalFrom', 'postalTo'];
const rest = ['priority', 'validFrom', 'validTo'];
const marks = ['compound', 'shipping', 'active'];

export default function TaxRateScreen() {
  const { id = '' } = useRoute().params;
  const fresh = id === 'new';
  const schema = useSchema('tax-rates');
  const read = (/** @type {AbortSignal} */ signal) => api.collections.from('tax-rates').findById(id, {}, { signal });
  const { data, refusal, reload } = useQuery(fresh ? '' : `tax rate ${id}`, read, { live: ['tax-rates'], record: id });
  const back = { href: href('/taxes'), label: t('setup.taxes') };
  const title = fresh ? t('setup.taxNew') : (data?.name ?? collectionLabel('tax-rates', 'one'));
  if (!schema || (!fresh && !data)) return html`<${Awaited} ...${{ title, back, schema, refusal, reload }} />`;
  if (!schema.may.includes(fresh ? 'create' : 'update')) {
    const paths = [...first, 'classes', 'country', 'province', ...where, ...rest, ...marks];
    return html`<${Page} title=${title} back=${back} class="single"><${Card}><${Facts} schema=${schema} paths=${paths} record=${data} /><//><//>`;
  }
  return html`<${Editor} key=${id} schema=${schema} rate=${data} title=${title} back=${back} refusal=${refusal} reload=${reload} />`;
}

/**
 * @typedef {object} EditorProps
 * @property {import('../../base/schema.js').Schema} schema
 * @property {Rate | undefined} rate
 * @property {string} title
 * @property {{ href: string, label: string }} back
 * @property {import('../../base/refusal.js').Refusal | undefined} refusal
 * @property {() => void} reload
 */

/** @param {EditorProps} props */
function Editor({ schema, rate, title, back, refusal, reload }) {
  const rates = api.collections.from('tax-rates');
  const initial = useMemo(() => rate ?? { name: '', percent: '', country: '', classes: ['standard'], priority: 1, shipping: true, active: true }, [rate]);
  const sent = (/** @type {any} */ values) => /** @type {any} */ (numbersIn(values, schema.fields));
  const form = useRecordForm({ slug: 'tax-rates', record: rate, initial, fresh: sent(initial), sent, reload });
  const top = rate && can('tax-rates:delete') && html`<${Remove} from=${rates} id=${rate.id} keys="d"
    title=${t('setup.taxDelete', { name: rate.name })} text=${t('setup.taxDeleteText')} then=${() => go('/taxes')} />`;
  return html`<${Page} title=${title} back=${back} top=${top} class="single" ...${{ refusal, again: reload }}>
    <form id="tax-rate" class="stack" onSubmit=${form.send}>
      <${Card}><${Inputs} schema=${schema} paths=${first} form=${form} /><${Choices} form=${form} slug="tax-rates" name="classes" options=${classes} /><//>
      <${Card} title=${t('setup.taxesWhere')}><${Places} form=${form} /><div class="pairs"><${Inputs} schema=${schema} paths=${where} form=${form} /></div><//>
      <${Card}><div class="pairs"><${Inputs} schema=${schema} paths=${rest} form=${form} /></div><${Inputs} schema=${schema} paths=${marks} form=${form} /><//>
    </form>
    <div class="foot-bar"><${FormFoot} form=${form} id="tax-rate" slug="tax-rates" saves /></div>
  <//>`;
}

/** Places choose the country of a rate, and its province where addresses there name one. @param {{ form: import('../../base/form.js').Form }} props */
function Places({ form }) {
  const { country, province } = form.values;
  const of = useAddressForm(country ?? '');
  const countries = useCountries(country);
  const provinces = (country && of?.fields.find((f) => f.name === 'province')?.options) || [];
  const label = (/** @type {string} */ name) => fieldLabel('tax-rates', name);
  const move = (/** @type {string} */ code) => {
    form.set('country', code);
    if (province) form.set('province', null);
  };
  const into = { label: label('province'), value: province ?? '', error: form.error('province') };
  const put = (/** @type {string} */ code) => form.set('province', code || null);
  const known = provinces.some((/** @type {{ value: string }} */ o) => o.value === province);
  return html`<div class="two">
    <${SelectField} label=${label('country')} required value=${country ?? ''} error=${form.error('country')} empty="—"
      options=${countries} onInput=${move} />
    ${provinces.length > 0 ? html`<${SelectField} ...${into} empty=${t('setup.taxesEverywhere')} onInput=${put}
        options=${province && !known ? [{ value: province, label: province }, ...provinces] : provinces} />`
      : html`<${TextField} ...${into} help=${helpOf('tax-rates', 'province')} onInput=${put} />`}
  </div>`;
}
