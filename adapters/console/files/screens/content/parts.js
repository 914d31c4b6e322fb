import { html } from '../../vendor/ui.js';
import { optionLabel, t } from '../../base/words.js';
import { Badge } from '../../parts/state.js';

/** @typedef {import('../../vendor/sdk.js').Schemas['Post']} Post */

/** slugOf is the collection that an address shows: /console/live/posts/… @param {string} path @returns {'posts' | 'pages'} */
export const slugOf = (path) => (path.split('/')[3] === 'pages' ? 'pages' : 'posts');

/**
 * State is whether shoppers see a post or a page: a draft, one that is out, one whose time has not come.
 * @param {{ doc: { status?: string | null, publishedAt?: string | null } }} props
 */
export function State({ doc }) {
  const out = doc.status === 'published';
  const waits = out && doc.publishedAt && Date.parse(doc.publishedAt) > Date.now();
  if (waits) return html`<${Badge} tone="info">${t('content.scheduled')}<//>`;
  return html`<${Badge} tone=${out ? 'good' : 'wait'}>${optionLabel('posts', 'status', doc.status ?? 'draft')}<//>`;
}
