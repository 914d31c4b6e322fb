// The filters of a list, as chips that can be changed.
import { html, useState } from '../vendor/ui.js';
import { none, not, translated } from '../base/filters.js';
import { date, languageName } from '../base/format.js';
import { shop } from '../base/shop.js';
import { othersOf } from '../base/translations.js';
import { fieldLabel, optionLabel, t } from '../base/words.js';
import { Button } from './button.js';
import { Dialog } from './dialog.js';
import { DateField, NumberField, TextField } from './field.js';
import { Icon } from './icon.js';
import { Menu } from './menu.js';
import { Called, RelationField } from './relation.js';

/** @typedef {import('../base/schema.js').SchemaField} SchemaField */
/** @typedef {{ path: string, field: SchemaField }} Filterable */

/**
 * Filters shows those that are set, and sets more.
 * @param {{ slug: string, filterable: Filterable[], filters: Record<string, string>, onChange: (path: string, value: string | null) => void }} props
 */
export function Filters({ slug, filterable, filters, onChange }) {
  const [editing, setEditing] = useState(/** @type {string | null} */ (null));
  const open = filterable.find((f) => f.path === editing);
  const items = filterable
    .filter((f) => filters[f.path] === undefined)
    .map((f) => ({ label: fieldLabel(slug, f.path), run: () => setEditing(f.path) }))
    .sort((a, b) => a.label.localeCompare(b.label));
  return html`<div class="filters">
    ${Object.entries(filters).map(([path, value]) => {
      const of = filterable.find((f) => f.path === path);
      const label = fieldLabel(slug, path);
      return html`<span class="chip filter" key=${path}>
        <button type="button" onClick=${() => setEditing(path)}><b>${label}</b> ${told(slug, path, of?.field, value)}</button>
        <button type="button" aria-label=${t('common.removeNamed', { name: label })} onClick=${() => onChange(path, null)}><${Icon} name="x" size=${14} /></button>
      </span>`;
    })}
    ${items.length > 0 && html`<${Menu} label=${t('list.addFilter')} icon="list-filter" look="quiet" side="left" items=${items}>${t('list.filter')}<//>`}
    ${open &&
    html`<${FilterDialog} slug=${slug} of=${open} value=${filters[open.path] ?? ''} onClose=${() => setEditing(null)}
      onSet=${(/** @type {string} */ value) => {
        setEditing(null);
        onChange(open.path, value || null);
      }} />`}
  </div>`;
}

/**
 * told is a filter's value in words.
 * @param {string} slug
 * @param {string} path
 * @param {SchemaField | undefined} field
 * @param {string} value
 */
function told(slug, path, field, value) {
  if (value === none) return t('list.noValue');
  if (path === translated) {
    const names = value.replace(not, '').split(',').map(languageName).join(', ');
    return value.startsWith(not) ? t('list.notIn', { names }) : names;
  }
  if (field?.kind === 'boolean') return t(value === 'true' ? 'common.yes' : 'common.no');
  if (field?.options) return value.split(',').map((v) => optionLabel(slug, path, v)).join(', ');
  if (field?.relationTo) return html`<${Called} to=${field.relationTo} id=${value} />`;
  if (!value.includes('..')) return value;
  const [from, to] = value.split('..').map((part) => (part && field?.kind === 'date' ? date(part) : part));
  if (from && to) return from === to ? from : `${from} – ${to}`;
  return from ? t('list.from', { value: from }) : t('list.upTo', { value: to });
}

/** @param {{ slug: string, of: Filterable, value: string, onClose: () => void, onSet: (value: string) => void }} props */
function FilterDialog({ slug, of: { path, field }, value, onClose, onSet }) {
  const [text, setText] = useState(value === none ? '' : value);
  const label = fieldLabel(slug, path);
  const submit = (/** @type {Event} */ e) => {
    e.preventDefault();
    onSet(text);
  };
  const empty = !field.required && html`<${Button} onClick=${() => onSet(none)}>${t('list.noValue')}<//>`;
  const actions = html`${empty}<${Button} look="primary" type="submit" form="filter">${t('list.apply')}<//>`;
  return html`<${Dialog} title=${label} onClose=${onClose} actions=${actions}>
    <form id="filter" onSubmit=${submit}><${FilterInput} ...${{ slug, path, field, label, text, setText }} /></form>
  <//>`;
}

/** @param {{ slug: string, path: string, field: SchemaField, label: string, text: string, setText: (text: string) => void }} props */
function FilterInput({ slug, path, field, label, text, setText }) {
  if (path === translated) {
    return html`<fieldset class="options"><legend class="aside">${label}</legend>
      ${othersOf(shop.value).flatMap((l) => [not + l, l]).map((v) => html`<label><input type="radio" name="option" checked=${text === v}
        onChange=${() => setText(v)} /> ${v.startsWith(not) ? t('list.notIn', { names: languageName(v.slice(not.length)) }) : languageName(v)}</label>`)}
    </fieldset>`;
  }
  if (field.options || field.kind === 'boolean') {
    const options = field.options ?? ['true', 'false'];
    const chosen = text ? text.split(',') : [];
    const one = field.kind === 'boolean';
    const toggle = (/** @type {string} */ v) => setText(one ? v : chosen.includes(v) ? chosen.filter((c) => c !== v).join() : [...chosen, v].join());
    return html`<fieldset class="options"><legend class="aside">${label}</legend>
      ${options.map((v) => html`<label><input type=${one ? 'radio' : 'checkbox'} name="option" checked=${chosen.includes(v)} onChange=${() => toggle(v)} />
        ${one ? t(v === 'true' ? 'common.yes' : 'common.no') : optionLabel(slug, path, v)}</label>`)}
    </fieldset>`;
  }
  if (['date', 'number', 'integer', 'money'].includes(field.kind)) {
    const [from = '', to = ''] = text.includes('..') ? text.split('..') : [text, text];
    const set = (/** @type {string} */ a, /** @type {string} */ b) => setText(a || b ? `${a}..${b}` : '');
    const Input = field.kind === 'date' ? DateField : NumberField;
    return html`<div class="two">
      <${Input} label=${t('list.rangeFrom')} value=${from} onInput=${(/** @type {string} */ v) => set(v, to)} />
      <${Input} label=${t('list.rangeTo')} value=${to} onInput=${(/** @type {string} */ v) => set(from, v)} />
    </div>`;
  }
  if (field.relationTo) {
    const choose = (/** @type {string | null} */ id) => setText(id ?? '');
    return html`<div class="room"><${RelationField} label=${label} hideLabel to=${field.relationTo} value=${text || null} onInput=${choose} /></div>`;
  }
  return html`<${TextField} label=${label} hideLabel value=${text} onInput=${setText} autofocus />`;
}
