// The texts of a record in the shop's other languages, beside those of its default one.
import { html, useState } from '../vendor/ui.js';
import { languageName } from '../base/format.js';
import { schemas } from '../base/schema.js';
import { shop } from '../base/shop.js';
import { asRead, missingIn, othersOf, textsOf, withText } from '../base/translations.js';
import { fieldLabel, t } from '../base/words.js';
import { TextField } from './field.js';
import { Card } from './state.js';

/** @typedef {import('../base/form.js').Form} Form */
/** @typedef {import('../base/translations.js').Text} Text */
/** @typedef {{ slug: string, at?: string, name?: string }} Part at: where the form has the record; name: of what it is a part */

/**
 * Translations is nothing in a shop with one language. Rich draws what is no plain text: a source, and its input.
 * @param {{ form: Form, parts: Part[], rich?: { shown: (value: any) => any, input: (props: any) => any } }} props
 */
export function Translations({ form, parts, rich }) {
  const others = othersOf(shop.value);
  const [chosen, setChosen] = useState('');
  const locale = others.includes(chosen) ? chosen : (others[0] ?? '');
  if (!locale) return null;
  const of = parts.map((part) => {
    const record = part.at ? form.get(part.at) : form.values;
    const texts = textsOf(schemas.value.get(part.slug)?.fields ?? [], record).filter(({ field }) => rich || field.kind !== 'richText');
    return { ...part, record, texts };
  });
  const missing = (/** @type {string} */ l) => of.reduce((n, { texts, record }) => n + missingIn(texts, record?.translations, l), 0);
  return html`<${Card} title=${t('common.translations')}>
    <div class="segments" role="group" aria-label=${t('common.language')}>${others.map((l) => html`<button type="button" key=${l}
      aria-pressed=${l === locale} onClick=${() => setChosen(l)}>${languageName(l)}${missing(l) > 0 &&
      html` <span class="count">${t('common.untranslated', { n: missing(l) })}</span>`}</button>`)}</div>
    ${of.map(({ slug, at, name, record, texts }) => texts.map((text) => html`<${One} key=${`${at} ${locale} ${text.path}`}
      ...${{ form, slug, at, name, record, text, locale, rich }} />`))}
  <//>`;
}

/**
 * One is a text of the default language, and what it is in another one.
 * @param {{ form: Form, slug: string, at?: string, name?: string, record: any, text: Text, locale: string, rich?: any }} props
 */
function One({ form, slug, at, name, record, text: { path, field, label: named, text }, locale, rich }) {
  const member = at ? `${at}.translations` : 'translations';
  const before = asRead(form.base, record, at)?.translations;
  const label = `${name ? `${name}: ` : ''}${fieldLabel(slug, named)}`;
  const input = {
    label: `${label} · ${languageName(locale)}`, error: form.error(`${member}.${locale}.${path}`), maxLength: field.maxLength,
    value: record?.translations?.[locale]?.[path] ?? '',
    onInput: (/** @type {any} */ v) => form.set(member, withText(record?.translations, before, locale, path, v)),
  };
  const isRich = field.kind === 'richText';
  return html`<div class="translation">
    <div><span class="label">${label}</span>${isRich ? rich.shown(text) : html`<p class="source">${text || '—'}</p>`}</div>
    <div lang=${locale}>${isRich ? rich.input(input) : html`<${TextField} ...${input} rows=${field.kind === 'textarea' ? 4 : undefined} />`}</div>
  </div>`;
}
