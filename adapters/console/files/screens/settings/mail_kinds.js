// Every kind of mail: what it is for, whether it is sent, in whose words, and whether mails leave the server at all.
import { html } from '../../vendor/ui.js';
import { languageName, number } from '../../base/format.js';
import { useQuery } from '../../base/query.js';
import { href } from '../../base/route.js';
import { api, can } from '../../base/shop.js';
import { collectionLabel, fieldLabel, optionLabel, t } from '../../base/words.js';
import { Badge, Card, Loading, Page, Refused } from '../../parts/state.js';
import { Time } from '../../parts/value.js';
import { Sending, useStatus } from '../mails/sending.js';
import { MailSwitch } from './mail_switch.js';
import { useMails } from './mails.js';

/** @typedef {import('./mails.js').Template} Template */

const slug = 'mail-templates';

export default function MailKinds() {
  const { data, refusal, reload } = useMails();
  const back = { href: href('/settings'), label: t('setup.title') };
  const row = (/** @type {string} */ kind, /** @type {string[]} */ standard) => {
    const own = data?.templates.filter((one) => one.kind === kind) ?? [];
    const rest = standard.filter((language) => !own.some((one) => one.locale === language));
    return html`<tr key=${kind}>
      <th scope="row"><a href=${href(`/settings/mails/${kind}`)}>${optionLabel(slug, 'kind', kind)}</a>
        <small class="help">${t(`setup.mailFor-${kind}`)}</small></th>
      <td><${MailSwitch} kind=${kind} profile=${data?.profile} onChanged=${reload} /></td>
      <td>${own.map((one) => html`<${Own} key=${one.locale} template=${one} />`)}
        ${rest.length > 0 && html`<span class="help">${t('setup.mailStandard', { languages: rest.map(languageName).join(', ') })}</span>`}</td>
    </tr>`;
  };
  return html`<${Page} title=${t('setup.mails')} back=${back}>
    ${can('mail-deliveries:read') && html`<${Outlook} />`}
    <${Card} title=${t('setup.mailKinds')}>
      <p class="help">${t('setup.mailsText')}</p>
      ${refusal ? html`<${Refused} refusal=${refusal} again=${reload} />` : !data && html`<${Loading} lines=${8} />`}
      ${data && html`<div class="scroll"><table class="zones mails"><caption class="aside">${t('setup.mails')}</caption>
        <thead><tr><th scope="col">${fieldLabel(slug, 'kind')}</th><th scope="col">${t('setup.mailSent')}</th>
          <th scope="col">${t('setup.mailWords')}</th></tr></thead>
        <tbody>${data.kinds.map(({ kind, defaults }) => row(kind, defaults.map((one) => one.locale)))}</tbody></table></div>`}
    <//>
  <//>`;
}

/** Own is a language, and whether the shop's words in it are used. @param {{ template: Template }} props */
function Own({ template }) {
  return html`<${Badge} tone=${template.active ? 'info' : 'neutral'}>${t(template.active ? 'setup.mailOwn' : 'setup.mailUnused',
    { language: languageName(template.locale) })}<//> `;
}

/** Outlook says how the sending of mails goes: to where, what waits, and what went wrong last. */
function Outlook() {
  const { data } = useStatus();
  const { data: failed, refusal, reload } = useQuery('last failed mail', async (signal) => {
    const query = { where: { status: { equals: 'failed' } }, limit: 1, sort: '-createdAt', depth: 0 };
    return (await api.collections.from('mail-deliveries').find(query, { signal })).docs[0] ?? null;
  });
  const fact = (/** @type {string} */ label, /** @type {any} */ value) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
  return html`<${Card} title=${t('setup.mailSending')} top=${html`<a class="button" href=${href('/mails')}>${collectionLabel('mail-deliveries')}</a>`}>
    <${Sending} />
    ${refusal && html`<${Refused} refusal=${refusal} again=${reload} />`}
    ${data && html`<dl class="facts">${fact(t('setup.mailWaiting'), number(data.waiting))}${fact(t('setup.mailFailed'), number(data.failed))}
      ${failed && fact(fieldLabel('mail-deliveries', 'lastError'),
        html`<a href=${href(`/mails/${failed.id}`)}>${failed.lastError ?? optionLabel('mail-deliveries', 'reason', failed.reason ?? '')}</a> <${Time} at=${failed.updatedAt} relative />`)}</dl>`}
  <//>`;
}
