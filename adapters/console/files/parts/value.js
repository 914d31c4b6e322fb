// A value of a field as it is read.
import { html } from '../vendor/ui.js';
import { ago, money, number, time } from '../base/format.js';
import { idOf, shop } from '../base/shop.js';
import { fieldLabel, optionLabel, t } from '../base/words.js';
import { tone } from './tones.js';
import { Badge } from './state.js';
import { Icon } from './icon.js';

/** @typedef {import('../base/schema.js').SchemaField} SchemaField */

/** Money is an amount that lines up with others. @param {{ amount: number | null | undefined, currency: string | null | undefined }} props */
export function Money({ amount, currency }) {
  return html`<span class="money">${money(amount, currency)}</span>`;
}

/** Time is a moment, with the exact one to be seen on request. @param {{ at: string | null | undefined, relative?: boolean }} props */
export function Time({ at, relative = false }) {
  if (!at) return html`<span class="none">—</span>`;
  return html`<time datetime=${at} title=${time(at, 'full')} data-at=${relative ? time(at) : undefined}>${relative ? ago(at) : time(at)}</time>`;
}

/** Status is a value of a select, with its color. @param {{ slug: string, path: string, value: string | null | undefined }} props */
export function Status({ slug, path, value }) {
  return value ? html`<${Badge} tone=${tone(value)}>${optionLabel(slug, path, value)}<//>` : html`<span class="none">—</span>`;
}

/** Yes is whether something holds. @param {{ value: boolean | null | undefined }} props */
export function Yes({ value }) {
  return value ? html`<${Icon} name="check" size=${16} /><span class="aside">${t('common.yes')}</span>` : html`<span class="none">${t('common.no')}</span>`;
}

/** here tells whether a file is one of this server: the page shows no others. @param {string | null | undefined} url */
export const here = (url) => Boolean(url) && new URL(url ?? '', location.origin).origin === location.origin;

/** Thumb is a small picture of a file, or the place of one that is not to be had here. @param {{ of: any }} props */
export function Thumb({ of }) {
  if (here(of?.url)) return html`<img class="thumb" src=${of.url} alt="" loading="lazy" />`;
  return html`<span class="thumb blank"><${Icon} name="image" size=${16} /></span>`;
}

/** mailTo is the link to an address: what stands before its @ may be what would name other recipients in a link. @param {string} email */
export const mailTo = (email) => `mailto:${encodeURIComponent(email).replace('%40', '@')}`;

/** Reach is how to reach somebody. @param {{ email?: string | null | false | undefined, phone?: string | null | undefined, more?: any }} props */
export function Reach({ email, phone, more }) {
  return html`${email && html`<p><a href=${mailTo(email)}>${email}</a> ${more}</p>`}
    ${phone && html`<p><a href=${`tel:${phone}`}>${phone}</a></p>`}`;
}

/** nameOf is how a record is called. @param {any} record @returns {string} */
export function nameOf(record) {
  if (!record || typeof record !== 'object') return String(record ?? '—');
  const name = record.orderNumber ?? record.name ?? record.title ?? record.code ?? record.email ?? record.filename ?? record.fileName ?? record.label ?? record.slug ?? record.url;
  return String(name || record.id || '—');
}

/**
 * Value is a value of a field.
 * @param {{ slug: string, path: string, field: SchemaField, value: any, record: any }} props
 */
export function Value({ slug, path, field, value, record }) {
  if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return html`<span class="none">—</span>`;
  switch (field.kind) {
    case 'money':
      return html`<${Money} amount=${value} currency=${(field.currency && record[field.currency]) || record.currency || shop.value?.currency} />`;
    case 'number':
    case 'integer':
      return html`<span class="money">${number(value)}</span>`;
    case 'boolean':
      return html`<${Yes} value=${value} />`;
    case 'date':
      return html`<${Time} at=${value} />`;
    case 'select':
      return html`<${Status} slug=${slug} path=${path} value=${value} />`;
    case 'selects':
      return value.map((/** @type {string} */ v) => optionLabel(slug, path, v)).join(', ');
    case 'texts':
      return html`<span class="tags">${value.map((/** @type {string} */ v) => html`<span class="chip">${v}</span>`)}</span>`;
    case 'relation':
      return typeof value === 'string' ? html`<code>${value.slice(-8)}</code>` : nameOf(value);
    case 'upload':
      return value?.url ? html`<${Thumb} of=${value} />` : html`<code>${idOf(value)?.slice(-8)}</code>`;
    case 'relations':
    case 'uploads':
    case 'array':
      return number(value.length);
    case 'group':
      return html`<span class="group-value">${(field.fields ?? []).filter(({ name }) => ![null, undefined, ''].includes(value[name])).map((f) => html`<span key=${f.name}>
        <small>${fieldLabel(slug, `${path}.${f.name}`)}</small> <${Value} slug=${slug} path=${`${path}.${f.name}`} field=${f} value=${value[f.name]} record=${record} /></span>`)}</span>`;
    case 'json':
    case 'richText':
      return html`<code class="json">${JSON.stringify(value).slice(0, 80)}</code>`;
    default:
      return String(value);
  }
}
