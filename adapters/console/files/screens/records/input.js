// The input of a field, as its schema says.
import { html } from '../../vendor/ui.js';
import { numberOf } from '../../base/amount.js';
import { shop } from '../../base/shop.js';
import { fieldLabel, optionLabel, t } from '../../base/words.js';
import { AddressFields } from '../../parts/address.js';
import { Button } from '../../parts/button.js';
import { CheckField, DateField, LabelsField, NumberField, SelectField, TextField } from '../../parts/field.js';
import { RelationField } from '../../parts/relation.js';
import { Seo } from '../../parts/seo.js';

/** @typedef {import('../../base/schema.js').SchemaField} SchemaField */
/** @typedef {import('../../base/form.js').Form} Form */

/**
 * @typedef {object} InputProps
 * @property {string} slug
 * @property {string} path of the field in the schema
 * @property {string} at of the value in the form: with the numbers of rows
 * @property {SchemaField} field
 * @property {Form} form
 * @property {boolean} fresh the record does not exist yet
 */

/** @param {InputProps} props */
export function Input(props) {
  const { slug, path, at, field, form } = props;
  const label = fieldLabel(slug, path);
  const help = field.doc === `${label}.` ? '' : field.doc;
  const same = { label, help, error: form.error(at), required: field.required && field.default === undefined };
  const value = form.get(at);
  const set = (/** @type {any} */ v) => form.set(at, v);
  switch (field.kind) {
    case 'group':
      if (path === 'seo') return html`<fieldset class="stack group"><legend>${label}</legend><${Seo} ...${{ slug, form }} name=${form.get('name') ?? ''} text=${form.get('description') ?? ''} /></fieldset>`;
      if (field.fields?.some((f) => f.name === 'postalCode')) {
        return html`<fieldset class="stack group"><legend>${label}</legend><${AddressFields} ...${{ slug, path, value }}
          error=${(/** @type {string} */ name) => form.error(`${at}.${name}`)} onInput=${(/** @type {object} */ parts) => set({ ...value, ...parts })} /></fieldset>`;
      }
      return html`<fieldset class="stack group"><legend>${same.label}</legend>
        ${(field.fields ?? []).filter((f) => !f.readOnly).map((f) => html`<${Input} ...${props} key=${f.name} path=${`${path}.${f.name}`} at=${`${at}.${f.name}`} field=${f} />`)}
      </fieldset>`;
    case 'array':
      return html`<${Rows} ...${props} label=${same.label} help=${help} />`;
    case 'boolean':
      return html`<${CheckField} ...${same} value=${value ?? false} onInput=${set} />`;
    case 'select': {
      const options = (field.options ?? []).map((o) => ({ value: o, label: optionLabel(slug, path, o) }));
      return html`<${SelectField} ...${same} value=${value ?? ''} empty=${field.required ? undefined : '—'} options=${options} onInput=${(/** @type {string} */ v) => set(v || null)} />`;
    }
    case 'number':
    case 'integer':
    case 'money': {
      const unit = field.kind === 'money' ? ((field.currency && form.get(field.currency)) ?? shop.value?.currency ?? '') : undefined;
      return html`<${NumberField} ...${same} unit=${unit} value=${value} onInput=${(/** @type {string} */ v) => set(numberOf(v))} />`;
    }
    case 'date':
      return html`<${DateField} ...${same} moment value=${value ?? ''} onInput=${(/** @type {string} */ v) => set(v || null)} />`;
    case 'texts':
    case 'selects':
      return html`<${LabelsField} ...${same} value=${value ?? []} onInput=${set} />`;
    case 'relation':
    case 'upload':
      return html`<${RelationField} ...${same} to=${field.relationTo ?? 'media'} value=${value} onInput=${set} />`;
    case 'relations':
    case 'uploads':
      return html`<${RelationField} ...${same} many to=${field.relationTo ?? 'media'} value=${value ?? []} onInput=${set} />`;
    case 'json':
    case 'richText':
      return html`<${TextField} ...${same} rows=${4} mono spellcheck=${false} value=${textOf(value)} onInput=${(/** @type {string} */ v) => set(treeOf(v))} />`;
    default:
      return html`<${TextField} ...${same} type=${field.kind === 'email' ? 'email' : field.urlKind ? 'url' : 'text'} rows=${field.kind === 'textarea' ? 4 : undefined}
        maxLength=${field.maxLength} value=${value ?? ''} onInput=${(/** @type {string} */ v) => set(v)} />`;
  }
}

/** @param {InputProps & { label: string, help: string }} props */
function Rows({ label, help, ...props }) {
  const { path, at, field, form } = props;
  const rows = /** @type {any[]} */ (form.get(at) ?? []);
  const fields = (field.fields ?? []).filter((f) => !f.readOnly && f.name !== 'id');
  return html`<fieldset class="stack group"><legend>${label}</legend><p class="help">${help}</p>
    ${rows.map((row, i) => html`<div class="row-group" key=${row.id ?? i}>
      ${fields.map((f) => html`<${Input} ...${props} key=${f.name} path=${`${path}.${f.name}`} at=${`${at}.${i}.${f.name}`} field=${f} />`)}
      <${Button} look="quiet" icon="trash" label=${t('common.remove')} onClick=${() => form.set(at, rows.filter((_, n) => n !== i))} />
    </div>`)}
    <${Button} icon="plus" onClick=${() => form.set(at, [...rows, {}])}>${t('common.add')}<//>
  </fieldset>`;
}

/** @param {any} value */
const textOf = (value) => (value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 2));

/** treeOf is the JSON that was typed; the text itself as long as it is none. @param {string} text */
function treeOf(text) {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
