// What search engines and shared links show of a page, and what that looks like.
import { html } from '../vendor/ui.js';
import { can, shop } from '../base/shop.js';
import { fieldLabel, helpOf, t } from '../base/words.js';
import { CheckField, TextField } from './field.js';
import { RelationField } from './relation.js';

/** cut is a text as search engines shorten it. @param {string} text @param {number} most */
const cut = (text, most) => (text.length > most ? `${text.slice(0, most).trimEnd()} …` : text);

/** plain is a text without the elements that it may have. @param {string} text */
export const plain = (text) => text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ').trim();

/**
 * Seo is the inputs of the group `seo` and a preview.
 * @param {{ slug: string, form: import('../base/form.js').Form, name: string, text?: string }} props
 * name, text: what its page is called, and is about, unless said otherwise
 */
export function Seo({ slug, form, name, text = '' }) {
  const input = (/** @type {string} */ member) => ({
    label: fieldLabel(slug, `seo.${member}`), help: helpOf(slug, `seo.${member}`), ...form.input(`seo.${member}`),
  });
  const { title, description, noIndex } = form.get('seo') ?? {};
  const host = (shop.value?.settings.storefrontUrl ?? location.origin).replace(/^https?:\/\//, '').replace(/\/$/, '');
  return html`<div class="group stack tight" aria-live="off">
      <small class="help">${t('common.searchResult')}</small>
      ${noIndex
        ? html`<p>${t('common.notInSearch')}</p>`
        : html`<small>${[host, form.get('slug')].filter(Boolean).join(' › ')}</small><b>${cut(title || name, 70)}</b>
          <p class="help">${cut(plain(description || text), 160)}</p>`}
    </div>
    <${TextField} ...${input('title')} maxLength=${255} />
    <${TextField} ...${input('description')} rows=${3} maxLength=${1000} />
    ${can('media:read') && html`<${RelationField} ...${input('image')} to="media" />`}
    <${CheckField} ...${input('noIndex')} value=${noIndex ?? false} />`;
}
