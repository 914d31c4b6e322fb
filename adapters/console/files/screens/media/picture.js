import { html } from '../../vendor/ui.js';
import { Icon } from '../../parts/icon.js';
import { here } from '../../parts/value.js';

/** Icons of files that are no pictures, by how their type begins. @type {[string, string][]} */
const icons = [['video/', 'play'], ['audio/', 'play'], ['text/csv', 'file-text']];

/** Picture is a file of the library as a picture; of one that is elsewhere only the place of it. @param {{ media: import('./media.js').Media, large?: boolean }} props */
export function Picture({ media, large = false }) {
  const { mimeType, url, width, height } = media;
  if (mimeType?.startsWith('image/') && here(url)) {
    return html`<img class=${large ? 'large' : ''} src=${url} alt="" loading="lazy" width=${width ?? undefined} height=${height ?? undefined} />`;
  }
  if (large && mimeType?.startsWith('video/') && here(url)) return html`<video class="large" src=${url} controls></video>`;
  return html`<span class="no-picture"><${Icon} name=${mimeType ? (icons.find(([type]) => mimeType.startsWith(type))?.[1] ?? 'file-text') : 'image'} size=${32} /></span>`;
}
