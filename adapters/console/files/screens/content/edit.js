// One post or page: its text beside what it will look like, and when it is to be seen.
import { html, useMemo, useRoute, useState } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { useQuery } from '../../base/query.js';
import { go, href } from '../../base/route.js';
import { narrow } from '../../base/screen.js';
import { api, can, timeZone } from '../../base/shop.js';
import { collectionLabel, fieldLabel, optionLabel, t } from '../../base/words.js';
import { DateField, SelectField, TextField } from '../../parts/field.js';
import { FormFoot } from '../../parts/form.js';
import { RelationField } from '../../parts/relation.js';
import { Remove } from '../../parts/remove.js';
import { Seo } from '../../parts/seo.js';
import { Absent, Card, Page } from '../../parts/state.js';
import { Timeline } from '../../parts/timeline.js';
import { tell } from '../../parts/toast.js';
import { Translations } from '../../parts/translations.js';
import { blocksOf } from './blocks.js';
import { Editor } from './editor.js';
import { State, slugOf } from './parts.js';
import { Preview } from './preview.js';

/** @typedef {import('../../base/form.js').Form} Form */
/** @typedef {'posts' | 'pages'} Slug */

const fresh = { title: '', slug: '', status: 'draft', publishedAt: null, content: null, images: [] };

export default function ContentScreen() {
  const slug = slugOf(useRoute().path);
  const { id = '' } = useRoute().params;
  const read = (/** @type {AbortSignal} */ signal) => /** @type {any} */ (api.collections.from(slug)).findById(id, { depth: 0 }, { signal });
  const { data, refusal, reload, set } = useQuery(id === 'new' ? '' : `${slug} ${id}`, read, { live: [slug], record: id });
  const back = { href: href(`/${slug}`), label: collectionLabel(slug) };
  if (id !== 'new' && !data) return html`<${Absent} title=${collectionLabel(slug, 'one')} back=${back} refusal=${refusal} again=${reload} />`;
  return html`<${Opened} key=${`${slug} ${id}`} slug=${slug} record=${id === 'new' ? null : data} back=${back} reload=${reload} onSaved=${set} />`;
}

/** @param {{ slug: Slug, record: any, back: { href: string, label: string }, reload: () => void, onSaved: (record: any) => void }} props */
function Opened({ slug, record, back, reload, onSaved }) {
  const records = /** @type {any} */ (api.collections.from(slug));
  const initial = useMemo(() => record ?? fresh, [record]);
  const form = useForm({
    name: `${slug} ${record?.id ?? 'new'}`, initial, refresh: reload,
    send: async (changes, options) => {
      const { doc } = record
        ? await records.update(record.id, { ...changes, expectedRevision: options.revision }, options)
        : await records.create(changes, options);
      tell(t('common.saved'));
      if (record) onSaved(doc);
      else go(`/${slug}/${doc.id}`, { replace: true });
    },
  });
  const may = can(`${slug}:${record ? 'update' : 'create'}`);
  return html`<${Page} title=${record ? record.title : t(`content.add-${slug}`)} back=${back} badges=${record && html`<${State} doc=${record} />`}
    top=${record && can(`${slug}:delete`) && html`<${Remove} from=${records} id=${record.id} title=${t('content.delete', { title: record.title })}
      text=${t('content.deleteText')} said=${t('content.deleted', { title: record.title })} then=${() => go(`/${slug}`)} />`}>
    <form id="content" class="writing" onSubmit=${form.send}>
      <fieldset class="unframed stack" disabled=${!may}><${Writing} form=${form} />
        <${Translations} form=${form} parts=${[{ slug }]} rich=${rich} /></fieldset>
      <aside><fieldset class="unframed stack" disabled=${!may}><${Publishing} slug=${slug} form=${form} /></fieldset></aside>
    </form>
    ${may && html`<div class="writing-foot"><${FormFoot} form=${form} id="content" slug=${slug} saves /></div>`}
    ${record && html`<${Timeline} slug=${slug} id=${record.id} live=${[slug]} />`}
  <//>`;
}

/** How a text with paragraphs is shown and written. */
const rich = {
  shown: (/** @type {any} */ content) => html`<${Preview} content=${content} />`,
  input: (/** @type {any} */ { maxLength, ...props }) => html`<${Editor} ...${props} />`,
};

/** @param {{ form: Form }} props */
function Writing({ form }) {
  const [tab, setTab] = useState(/** @type {'write' | 'preview'} */ ('write'));
  const { title, content } = form.values;
  const both = !narrow.value;
  const names = /** @type {const} */ (['write', 'preview']);
  const tabs = html`<div class="segments" role="group" aria-label=${t('content.views')}>${names.map((name) => html`<button type="button"
    aria-pressed=${tab === name} onClick=${() => setTab(name)}>${t(`content.tab-${name}`)}</button>`)}</div>`;
  return html`<${Card}>
      <${TextField} label=${fieldLabel('posts', 'title')} value=${title} required error=${form.error('title')} maxLength=${500}
        onInput=${(/** @type {string} */ v) => form.set('title', v)} />
      ${!both && tabs}
      <div class="side-by-side">
        ${(both || tab === 'write') && html`<${Editor} label=${fieldLabel('posts', 'content')} value=${content} error=${form.error('content')}
          onInput=${(/** @type {any} */ v) => form.set('content', v)} />`}
        ${(both || tab === 'preview') && html`<section aria-label=${t('content.tab-preview')}><span
          class="label">${t('content.tab-preview')}</span><${Preview} title=${title} content=${content} /></section>`}
      </div>
    <//>`;
}

/** firstText is what a content begins with. @param {any} content */
const firstText = (content) => blocksOf(content)?.find((block) => block.kind === 'paragraph' && block.text)?.text;

/** @param {{ slug: Slug, form: Form }} props */
function Publishing({ slug, form }) {
  const { values, set, error } = form;
  const label = (/** @type {string} */ name) => fieldLabel(slug, name);
  const relation = (/** @type {string} */ name, /** @type {string} */ to, many = true) =>
    can(`${to}:read`) && html`<${RelationField} label=${label(name)} to=${to} many=${many} adds value=${values[name] ?? (many ? [] : null)} error=${error(name)}
      onInput=${(/** @type {any} */ v) => set(name, v)} />`;
  return html`<${Card} title=${t('content.publishing')}>
      <${SelectField} label=${label('status')} value=${values.status ?? 'draft'} error=${error('status')}
        onInput=${(/** @type {string} */ v) => set('status', v)}
        options=${['draft', 'published'].map((value) => ({ value, label: optionLabel(slug, 'status', value) }))} />
      <${DateField} label=${label('publishedAt')} moment value=${values.publishedAt ?? ''} error=${error('publishedAt')}
        help=${t('content.timeHelp', { zone: timeZone.value })}
        onInput=${(/** @type {string} */ v) => set('publishedAt', v || null)} />
      <${TextField} label=${label('slug')} value=${values.slug ?? ''} mono required=${slug === 'pages'} error=${error('slug')} maxLength=${255}
        help=${t(`content.slug-${slug}`)} onInput=${(/** @type {string} */ v) => set('slug', v)} />
    <//>
    <${Card} title=${t('content.belongs')}>
      ${relation('images', 'media')}
      ${slug === 'posts' && html`${relation('categories', 'categories')}${relation('tags', 'tags')}${relation('author', 'users', false)}`}
    <//>
    <${Card} title=${label('seo')}><${Seo} slug=${slug} form=${form} name=${values.title} text=${firstText(values.content)} /><//>`;
}
