// The list of any collection, as its schema says.
import { html, useRoute } from '../../vendor/ui.js';
import { href, screenOf } from '../../base/route.js';
import { useSchema } from '../../base/schema.js';
import { collectionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { List } from '../../parts/list.js';
import { Empty, Page } from '../../parts/state.js';
import { nameOf } from '../../parts/value.js';
import { columnsOf } from './columns.js';

export default function Records() {
  const { slug = '' } = useRoute().params;
  const schema = useSchema(slug);
  const label = collectionLabel(slug);
  const add = schema?.may.includes('create') &&
    html`<${Button} look="primary" icon="plus" href=${href(`/records/${slug}/new`)}>${t('records.add', { what: collectionLabel(slug, 'one') })}<//>`;
  const empty = html`<${Empty} title=${t('records.none', { what: label })} text=${t('records.noneText')} action=${add} />`;
  return html`<${Page} title=${label} class="full" top=${add}>
    ${schema && html`<${List} key=${slug} slug=${slug} label=${label} depth=${1} link=${(/** @type {any} */ r) => href(screenOf(slug, r.id))}
      columns=${columnsOf(schema)} empty=${empty}
      card=${(/** @type {any} */ r) => html`<span class="record-card"><b>${nameOf(r)}</b><small>${r.status ?? ''}</small></span>`} />`}
    ${schema === null && html`<${Empty} icon="lock" title=${t('common.notYours')} />`}
  <//>`;
}
