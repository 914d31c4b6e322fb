import { html } from '../../vendor/ui.js';
import { useQuery } from '../../base/query.js';
import { href } from '../../base/route.js';
import { api, can } from '../../base/shop.js';
import { locale, optionLabel, t } from '../../base/words.js';
import { Badge, Card, Loading, Refused } from '../../parts/state.js';

/** @typedef {import('../../vendor/sdk.js').Schemas['MailTemplate']} Template */

/** How many templates are read: more than any shop has. */
const most = 500;

/** useMails reads what mails can tell, and what the shop has them say. */
export function useMails() {
  const read = async (/** @type {AbortSignal} */ signal) => {
    const [{ kinds }, { docs }, profiles] = await Promise.all([
      api.call('GET /api/mail-templates/kinds', {}, { signal }),
      api.collections.from('mail-templates').find({ limit: most, sort: 'locale', depth: 0 }, { signal }),
      can('shop-profiles:read') ? api.collections.from('shop-profiles').find({ limit: 1, depth: 0 }, { signal }) : undefined,
    ]);
    return { kinds, templates: docs, off: /** @type {string[]} */ (profiles?.docs[0]?.mailsOff ?? []) };
  };
  return useQuery(`mails ${locale.value}`, read, { live: ['mail-templates', 'shop-profiles'] });
}

/** named is a language as people call it. @param {string} tag */
export const named = (tag) => new Intl.DisplayNames(locale.value, { type: 'language' }).of(tag) ?? tag;

/** Mails are the kinds of mails, each with the languages in which the shop has words of its own. @param {{ title: string }} props */
export function Mails({ title }) {
  const { data, refusal, reload } = useMails();
  const own = (/** @type {string} */ kind) => data?.templates.filter((one) => one.kind === kind) ?? [];
  return html`<${Card} title=${title}>
    <p class="help">${t('setup.mailsText')}</p>
    ${refusal ? html`<${Refused} refusal=${refusal} again=${reload} />` : !data && html`<${Loading} lines=${8} />`}
    ${data && html`<div class="scroll"><table class="zones mails"><caption class="aside">${title}</caption>
      <tbody>${data.kinds.map(({ kind }) => html`<tr key=${kind}>
        <th scope="row"><a href=${href(`/settings/mails/${kind}`)}>${optionLabel('mail-templates', 'kind', kind)}</a></th>
        <td>${data.off.includes(kind) && html`<${Badge} tone="warn">${t('setup.mailOff')}<//> `}${own(kind).length === 0 ? html`<span class="help">${t('setup.mailDefault')}</span>` : own(kind).map((one) => html`<${State} template=${one} />`)}</td>
      </tr>`)}</tbody></table></div>`}
  <//>`;
}

/** State is a language and whether the shop's words in it are used. @param {{ template: Template }} props */
export function State({ template }) {
  return html`<${Badge} key=${template.locale} tone=${template.active ? 'info' : 'neutral'}>${t(template.active ? 'setup.mailOwn' : 'setup.mailUnused',
    { language: named(template.locale) })}<//> `;
}
