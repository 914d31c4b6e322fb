// What mails of one kind say, language by language, beside how they will look.
import { html, useMemo, useRef, useRoute } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { languageName } from '../../base/format.js';
import { href, search } from '../../base/route.js';
import { api, can, shop } from '../../base/shop.js';
import { fieldLabel, helpOf, optionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { confirm } from '../../parts/dialog.js';
import { CheckField, SelectField, TextField } from '../../parts/field.js';
import { FormFoot } from '../../parts/form.js';
import { Absent, Card, Page } from '../../parts/state.js';
import { Tabs, useTab } from '../../parts/tabs.js';
import { complain, tell } from '../../parts/toast.js';
import { useMails } from './mails.js';
import { MailPreview } from './mail_preview.js';

/** @typedef {import('./mails.js').Template} Template */
/** @typedef {Awaited<ReturnType<typeof useMails>>} Mails */

/** Languages that can be chosen; others are written by the API. */
const common = ['ko', 'en', 'ja', 'zh-Hans', 'zh-Hant', 'de', 'es', 'fr', 'id', 'it', 'nl', 'pt', 'th', 'vi'];

const slug = 'mail-templates';

export default function MailScreen() {
  const { kind = '' } = useRoute().params;
  const { data, refusal, reload } = useMails();
  const back = { href: href('/settings/mails'), label: t('setup.mails') };
  const about = data?.kinds.find((one) => one.kind === kind);
  if (!data || !about) return html`<${Absent} title=${t('setup.mails')} back=${back} refusal=${refusal} again=${reload} />`;
  return html`<${Kind} about=${about} templates=${data.templates.filter((one) => one.kind === kind)} back=${back} reload=${reload} />`;
}

/** @param {{ about: any, templates: Template[], back: { href: string, label: string }, reload: () => void }} props */
function Kind({ about, templates, back, reload }) {
  const own = shop.value?.settings?.locale?.split('-')[0] ?? 'en';
  const asked = search().get('tab');
  const all = [...about.defaults, ...templates].map((one) => one.locale);
  const names = [...new Set([...all.filter((one) => one === own), ...all, ...(asked ? [asked] : [])])];
  const [tab, show] = useTab(names);
  const template = templates.find((one) => one.locale === tab);
  const more = common.filter((one) => !names.includes(one)).map((value) => ({ value, label: languageName(value) }));
  const title = optionLabel(slug, 'kind', about.kind);
  return html`<${Page} title=${title} back=${back} top=${can(`${slug}:create`) && html`<${SelectField} label=${t('setup.mailAddLanguage')} hideLabel
      empty=${t('setup.mailAddLanguage')} value="" options=${more} onInput=${(/** @type {string} */ one) => one && show(one)} />`}>
    <${Tabs} label=${t('setup.mailLanguages')} tab=${tab} onShow=${show} tabs=${names.map((name) => ({ name, label: languageName(name) }))} />
    ${tab && html`<${Editor} key=${`${tab} ${template?.id}`} about=${about} locale=${tab} template=${template} reload=${reload} />`}
  <//>`;
}

/** @param {{ about: any, locale: string, template: Template | undefined, reload: () => void }} props */
function Editor({ about, locale, template, reload }) {
  const { kind, defaults, variables, ofOrder } = about;
  const standard = defaults.find((/** @type {any} */ one) => one.locale === locale.split('-')[0]) ?? defaults[0];
  const initial = useMemo(() => template ?? { subject: standard.subject, body: standard.body, active: true }, [template, standard]);
  const templates = api.collections.from(slug);
  const form = useForm({
    name: `${slug} ${kind} ${locale}`, initial, refresh: reload,
    send: async (changes, { revision, ...options }) => {
      if (template) await templates.update(template.id, { ...changes, expectedRevision: revision }, options);
      else await templates.create({ kind, locale, subject: initial.subject, body: initial.body, ...changes }, options);
      tell(t('common.saved'));
      reload();
    },
  });
  const may = can(`${slug}:${template ? 'update' : 'create'}`);
  const remove = async () => {
    const question = { title: t('setup.mailReset'), text: t('setup.mailResetText'), action: t('setup.mailReset'), danger: true };
    if (template && (await confirm(question))) await templates.remove(template.id).then(reload, complain);
  };
  // Where a variable goes: to the cursor of the input that was written in last.
  const last = useRef(/** @type {HTMLInputElement | HTMLTextAreaElement | null} */ (null));
  const field = (/** @type {string} */ name) => ({
    label: fieldLabel(slug, name), required: true, value: form.values[name] ?? '', error: form.error(name), help: helpOf(slug, name), name,
    onInput: (/** @type {string} */ v) => form.set(name, v),
    onFocus: (/** @type {any} */ e) => {
      last.current = e.currentTarget;
    },
  });
  const insert = (/** @type {any} */ variable) => {
    const input = last.current ?? document.querySelector('#mail textarea');
    if (!(input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement)) return;
    input.setRangeText(tagOf(variable), input.selectionStart ?? 0, input.selectionEnd ?? 0, 'end');
    form.set(input.name, input.value);
    input.focus();
  };
  return html`<div class="side-by-side mail">
    <form id="mail" class="stack" onSubmit=${form.send}><fieldset class="unframed stack" disabled=${!may}>
      <${Card} top=${template && can(`${slug}:delete`) && html`<${Button} icon="undo-2" onClick=${remove}>${t('setup.mailReset')}<//>`}>
        ${!template && html`<p class="help">${t('setup.mailIsDefault')}</p>`}
        <${TextField} ...${field('subject')} maxLength=${255} />
        <${TextField} ...${field('body')} rows=${16} mono />
        <${CheckField} label=${fieldLabel(slug, 'active')} help=${helpOf(slug, 'active')} value=${form.values.active ?? true}
          onInput=${(/** @type {boolean} */ v) => form.set('active', v)} />
        ${may && html`<${FormFoot} form=${form} id="mail" slug=${slug} saves />`}
      <//>
      <${Card} title=${t('setup.mailVariables')}><p class="help">${t('setup.mailVariablesText')}</p>
        <ul class="variables">${variables.map((/** @type {any} */ one) => html`<li key=${one.name}><${Button} onClick=${() => insert(one)}>${one.name}<//>
          <span class="help">${one.doc}</span></li>`)}</ul><//>
    </fieldset></form>
    <${MailPreview} kind=${kind} locale=${locale} subject=${form.values.subject ?? ''} body=${form.values.body ?? ''} ofOrder=${ofOrder} />
  </div>`;
}

/** tagOf is how a variable stands in a text. @param {{ name: string, type: string }} variable */
export function tagOf({ name, type }) {
  if (type === 'boolean') return `{{#${name}}}…{{/${name}}}`;
  if (type === 'list' || type === 'block') return `\n{{${name}}}\n`;
  return type === 'url' ? `[…]({{${name}}})` : `{{${name}}}`;
}
