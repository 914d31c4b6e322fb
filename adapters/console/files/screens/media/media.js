// The library: pictures and other files, with what is on its way into it.
import { html, useEffect, useLocation, useRef, useState } from '../../vendor/ui.js';
import { useShortcuts } from '../../base/keys.js';
import { useMore } from '../../base/more.js';
import { search, searched } from '../../base/route.js';
import { api, can } from '../../base/shop.js';
import { collectionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { Drop } from '../../parts/drop.js';
import { SelectField, TextField } from '../../parts/field.js';
import { Empty, Loading, Page, Refused } from '../../parts/state.js';
import { FileDialog } from './file.js';
import { Picture } from './picture.js';
import { Uploads } from './sending.js';
import { upload } from './uploads.js';

/** @typedef {import('../../vendor/sdk.js').Schemas['Media']} Media */

/** Kinds of files, by how their type begins. @type {Record<string, string>} */
const kinds = { pictures: 'image/', films: 'video/', sound: 'audio/', documents: 'application/' };

const pageSize = 60;

export default function Library() {
  useLocation();
  const query = search();
  const asked = { name: query.get('name') ?? '', kind: query.get('kind') ?? '', alt: query.get('alt') ?? '' };
  const { docs, next, refusal, busy, reload, more } = useMedia(asked);
  const id = query.get('file');
  const set = (/** @type {Record<string, string>} */ values) => {
    const to = search();
    for (const [name, value] of Object.entries(values)) value ? to.set(name, value) : to.delete(name);
    searched(to);
  };
  useShortcuts([{ keys: 'r', label: t('list.reload'), run: reload }]);
  const filtered = asked.name || asked.kind || asked.alt;
  const may = can('media:create');
  const none = filtered
    ? html`<${Empty} icon="search" title=${t('list.nothingFound')} text=${t('list.nothingFoundText')} action=${html`<${Button}
      onClick=${() => searched(new URLSearchParams())}>${t('list.clear')}<//>`} />`
    : html`<${Empty} icon="image" title=${t('media.none')} text=${t('media.noneText')} />`;
  return html`<${Page} title=${collectionLabel('media')}>
    ${may && html`<${Drop} label=${t('media.drop')} help=${t('media.dropHelp')} accept="image/*,video/*,audio/*,.pdf,.csv,.txt" many keys="n" onFiles=${upload} />`}
    <${Uploads} />
    <${Filters} asked=${asked} set=${set} />
    ${refusal && html`<${Refused} refusal=${refusal} again=${reload} />`}
    ${!docs && !refusal && html`<${Loading} lines=${8} />`}
    ${docs?.length === 0 && none}
    ${docs && docs.length > 0 && html`<ul class="library">${docs.map((m) => html`<li key=${m.id}><${Tile} media=${m}
      onOpen=${() => set({ file: m.id })} /></li>`)}</ul>`}
    ${next !== null && html`<div><${Button} busy=${busy} onClick=${more}>${t('common.more')}<//></div>`}
    ${id && html`<${FileDialog} key=${id} id=${id} onClose=${() => set({ file: '' })} onChanged=${reload} />`}
  <//>`;
}

/** @param {{ name: string, kind: string, alt: string }} asked */
function useMedia({ name, kind, alt }) {
  const and = [
    ...(name ? [{ filename: { contains: name } }] : []),
    ...(kind ? [{ mimeType: { contains: kinds[kind] } }] : []),
    ...(alt ? [{ alt: { exists: false } }] : []),
  ];
  /** @param {number | null} after @param {AbortSignal} signal */
  const read = async (after, signal) => {
    const page = after ?? 1;
    const where = /** @type {any} */ (and.length > 0 ? { where: { and } } : {});
    const { docs, hasNextPage } = await api.collections.from('media').find({ ...where, limit: pageSize, page, sort: '-createdAt', depth: 0 }, { signal });
    return { docs: /** @type {Media[]} */ (docs), next: hasNextPage ? page + 1 : null };
  };
  return useMore(`media ${name} ${kind} ${alt}`, read, ['media']);
}

/** @param {{ asked: { name: string, kind: string, alt: string }, set: (values: Record<string, string>) => void }} props */
function Filters({ asked, set }) {
  const [name, setName] = useState(asked.name);
  const told = useRef(asked.name);
  useEffect(() => {
    if (name === told.current) return undefined;
    const timer = setTimeout(() => {
      told.current = name;
      set({ name });
    }, 200);
    return () => clearTimeout(timer);
  }, [name]);
  useEffect(() => {
    // What was cleared, or came by an address, is shown; what is typed meanwhile is not taken back.
    if (asked.name === told.current) return;
    told.current = asked.name;
    setName(asked.name);
  }, [asked.name]);
  const options = Object.keys(kinds).map((value) => ({ value, label: t(`media.kind-${value}`) }));
  return html`<div class="library-filters">
    <${TextField} label=${t('media.name')} type="search" value=${name} onInput=${setName} />
    <${SelectField} label=${t('media.kind')} value=${asked.kind} empty=${t('media.kind-all')} options=${options}
      onInput=${(/** @type {string} */ v) => set({ kind: v })} />
    <${Button} aria-pressed=${asked.alt !== ''} icon=${asked.alt ? 'check' : 'circle'}
      onClick=${() => set({ alt: asked.alt ? '' : 'none' })}>${t('media.withoutAlt')}<//>
  </div>`;
}

/** @param {{ media: Media, onOpen: () => void }} props */
function Tile({ media, onOpen }) {
  return html`<button type="button" class="tile" onClick=${onOpen}><${Picture} media=${media} /><span>${media.filename}</span>
    ${media.mimeType?.startsWith('image/') && !media.alt && html`<small>${t('media.noAlt')}</small>`}</button>`;
}
