// One file of the library: what it is, what it says to those who do not see it, and what shows it.
import { html, useMemo } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { bytes, number } from '../../base/format.js';
import { useQuery } from '../../base/query.js';
import { href, screenOf } from '../../base/route.js';
import { api, can } from '../../base/shop.js';
import { collectionLabel, fieldLabel, t } from '../../base/words.js';
import { Copied } from '../../parts/copy.js';
import { Dialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import { FormFoot } from '../../parts/form.js';
import { Remove } from '../../parts/remove.js';
import { Loading, Refused } from '../../parts/state.js';
import { tell } from '../../parts/toast.js';
import { Time, nameOf } from '../../parts/value.js';
import { Picture } from './picture.js';

/** @typedef {import('./media.js').Media} Media */

/** Where files are shown, by collection and field. */
const places = { products: 'images', 'product-variants': 'images', posts: 'images', pages: 'images', videos: 'poster', users: 'picture' };

/** How many of each are told. */
const most = 5;

/** @param {{ id: string, onClose: () => void, onChanged: () => void }} props */
export function FileDialog({ id, onClose, onChanged }) {
  const read = (/** @type {AbortSignal} */ signal) => api.collections.from('media').findById(id, { depth: 0 }, { signal });
  const { data, refusal, reload } = useQuery(`media ${id}`, read, { live: ['media'], record: id });
  if (!data) {
    return html`<${Dialog} title=${collectionLabel('media', 'one')} size="beside" onClose=${onClose}>
      ${refusal ? html`<${Refused} refusal=${refusal} again=${reload} />` : html`<${Loading} lines=${6} />`}<//>`;
  }
  return html`<${Opened} media=${/** @type {Media} */ (data)} onClose=${onClose} onChanged=${() => {
    reload();
    onChanged();
  }} />`;
}

/** @param {{ media: Media, onClose: () => void, onChanged: () => void }} props */
function Opened({ media, onClose, onChanged }) {
  const { id } = media;
  // Of a file that is elsewhere nobody knows what it is.
  const picture = media.mimeType?.startsWith('image/') ?? true;
  const initial = useMemo(() => ({ alt: media.alt ?? '', revision: media.revision }), [media]);
  const form = useForm({
    name: `media ${id}`, initial, refresh: onChanged,
    send: async (changes, options) => {
      await api.collections.from('media').update(id, /** @type {any} */ ({ ...changes, expectedRevision: options.revision }), options);
      tell(t('common.saved'));
      onChanged();
    },
  });
  const may = can('media:update') && picture;
  const gone = () => {
    onClose();
    onChanged();
  };
  const foot = may && html`<${FormFoot} form=${form} id="media" slug="media" />`;
  return html`<${Dialog} title=${media.filename ?? collectionLabel('media', 'one')} size="beside" onClose=${onClose} busy=${form.busy} actions=${foot}>
    <div class="file"><${Picture} media=${media} large /></div>
    ${may && html`<form id="media" class="stack" onSubmit=${form.send}><${TextField} label=${fieldLabel('media', 'alt')} rows=${2} ...${form.input('alt')} help=${t('media.altHelp')}
      maxLength=${1000} /></form>`}
    <${Facts} media=${media} />
    <${Uses} id=${id} onClose=${onClose} />
    ${can('media:delete') && html`<div><${Remove} from=${api.collections.from('media')} id=${media.id} title=${t('media.delete')}
      text=${t('media.deleteText', { name: media.filename })} said=${t('media.deleted')} then=${gone} /></div>`}
  <//>`;
}

/** @param {{ media: Media }} props */
function Facts({ media }) {
  const fact = (/** @type {string} */ name, /** @type {any} */ value) => html`<div><dt>${fieldLabel('media', name)}</dt><dd>${value}</dd></div>`;
  const address = media.url ? new URL(media.url, location.origin).href : '';
  return html`<dl class="facts">
      ${fact('mimeType', media.mimeType ?? '—')}
      ${fact('filesize', bytes(media.filesize))}
      ${media.width && html`<div><dt>${t('media.size')}</dt><dd>${number(media.width)} × ${number(media.height)}</dd></div>`}
      ${fact('createdAt', html`<${Time} at=${media.createdAt} />`)}
    </dl>
    ${address && html`<${Copied} text=${address} label=${fieldLabel('media', 'url')} />`}`;
}

/** Uses is what shows the file, as far as the user may read it. @param {{ id: string, onClose: () => void }} props */
function Uses({ id }) {
  const read = async (/** @type {AbortSignal} */ signal) => {
    const slugs = Object.entries(places).filter(([slug]) => can(`${slug}:read`));
    const found = await Promise.all(slugs.map(async ([slug, field]) => {
      const where = { [field]: field === 'images' ? { in: [id] } : { equals: id } };
      const { docs, totalDocs } = await /** @type {any} */ (api.collections.from(/** @type {any} */ (slug))).find({ where, limit: most, depth: 0 }, { signal });
      return { slug, docs: /** @type {any[]} */ (docs), totalDocs: /** @type {number} */ (totalDocs) };
    }));
    return found.filter(({ docs }) => docs.length > 0);
  };
  const { data, refusal } = useQuery(`media uses ${id}`, read);
  if (refusal) return html`<${Refused} refusal=${refusal} />`;
  return html`<section><h3>${t('media.uses')}</h3>
    ${data?.length === 0 && html`<p class="help">${t('media.noUses')}</p>`}
    <ul class="uses">${data?.flatMap(({ slug, docs, totalDocs }) => [
      ...docs.map((doc) => html`<li key=${doc.id}>${collectionLabel(slug, 'one')}: <a href=${href(screenOf(slug, doc.id))}>${nameOf(doc)}</a></li>`),
      totalDocs > docs.length && html`<li>${t('media.moreUses', { n: totalDocs - docs.length, what: collectionLabel(slug) })}</li>`,
    ])}</ul>
  </section>`;
}
