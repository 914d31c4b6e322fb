// Posts or pages: what is written, what is out, what waits for its time.
import { html, useRoute } from '../../vendor/ui.js';
import { useShortcuts } from '../../base/keys.js';
import { go, href } from '../../base/route.js';
import { can } from '../../base/shop.js';
import { collectionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { List } from '../../parts/list.js';
import { Empty, Page } from '../../parts/state.js';
import { Time } from '../../parts/value.js';
import { State, slugOf } from './parts.js';

export default function ContentList() {
  const slug = slugOf(useRoute().path);
  const label = collectionLabel(slug);
  const may = can(`${slug}:create`);
  const fresh = `/${slug}/new`;
  useShortcuts(may ? [{ keys: 'n', label: t(`content.add-${slug}`), run: () => go(fresh) }] : []);
  const add = may && html`<${Button} look="primary" icon="plus" href=${href(fresh)}>${t(`content.add-${slug}`)}<//>`;
  const empty = html`<${Empty} icon="file-text" title=${t(`content.none-${slug}`)} text=${t(`content.noneText-${slug}`)} action=${add} />`;
  /** @type {Record<string, Partial<import('../../parts/table.js').Column>>} */
  const cells = {
    title: { width: 'minmax(12rem, 2fr)' },
    status: { cell: (d) => html`<${State} doc=${d} />`, width: '8rem' },
    publishedAt: { width: '11rem' },
    slug: { cell: (d) => html`<code>${d.slug}</code>` },
    updatedAt: { cell: (d) => html`<${Time} at=${d.updatedAt} relative />`, width: '9rem' },
  };
  return html`<${Page} title=${label} class="full" top=${add}>
    <${List} key=${slug} slug=${slug} label=${label} link=${(/** @type {any} */ d) => href(`/${slug}/${d.id}`)} columns=${Object.keys(cells)} cells=${cells}
      empty=${empty}
      card=${(/** @type {any} */ d) => html`<span class="job-card"><b>${d.title}</b><${State} doc=${d} /><small>${d.slug}</small></span>`} />
  <//>`;
}
