// The list of any collection, as its schema says.
import { html, useRoute } from '../../vendor/ui.js';
import { href, screenOf } from '../../base/route.js';
import { fieldAt, useSchema } from '../../base/schema.js';
import { collectionLabel, collectionWord, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { List } from '../../parts/list.js';
import { Empty, Loading, Page } from '../../parts/state.js';
import { Time, Value, nameOf } from '../../parts/value.js';
import { columnsOf } from './columns.js';

/** Collections of which is said what they are for, as long as they are empty. */
const explained = ['brands', 'checkouts', 'market-prices', 'stock-locations', 'tags', 'tax-rates', 'transactions', 'videos'];

export default function Records() {
  const { slug = '' } = useRoute().params;
  const schema = useSchema(slug);
  const label = collectionLabel(slug);
  // Of the collections whose lists are led to, this one has a screen of its own to begin a record in.
  const add = schema?.may.includes('create') &&
    html`<${Button} look="primary" icon="plus" href=${href(slug === 'tax-rates' ? '/taxes/new' : `/records/${slug}/new`)}>${t('records.add', { what: collectionWord(slug, 'one') })}<//>`;
  const empty = html`<${Empty} title=${t('records.none', { what: collectionWord(slug) })} action=${add}
    text=${t(explained.includes(slug) ? `records.about-${slug}` : 'records.noneText')} />`;
  return html`<${Page} title=${label} class="full" top=${add}>
    ${schema && html`<${List} key=${slug} slug=${slug} label=${label} depth=${1} link=${(/** @type {any} */ r) => href(screenOf(slug, r.id))}
      columns=${columnsOf(schema)} empty=${empty} card=${(/** @type {any} */ r) => html`<${RecordCard} schema=${schema} record=${r} />`} />`}
    ${schema === undefined && html`<${Loading} lines=${8} />`}
    ${schema === null && html`<${Empty} icon="lock" title=${t('common.notYours')} />`}
  <//>`;
}

/** tells is whether a value says something in a line: what refers to a record without a name does not. @param {any} value */
const tells = (value) => ![null, undefined, ''].includes(value) && (!value.id || nameOf(value) !== value.id);

/**
 * RecordCard is a record on a narrow screen: the first of what its columns say, and how much it is about.
 * @param {{ schema: import('./columns.js').Schema, record: any }} props
 */
function RecordCard({ schema, record }) {
  const told = columnsOf(schema).filter((path) => path !== 'createdAt' && tells(record[path]));
  const amount = told.find((path) => ['money', 'number'].includes(fieldAt(schema, path)?.kind ?? ''));
  const [first, ...others] = told.filter((path) => path !== amount);
  const [name, ...more] = [first, amount, ...others].filter((path) => path !== undefined).slice(0, 3).map((path) => html`<${Value}
    slug=${schema.slug} path=${path} field=${fieldAt(schema, path)} value=${record[path]} record=${record} />`);
  return html`<span class="row-card"><b>${name}</b><span>${more[0]}</span><span>${more[1]}</span><${Time} at=${record.createdAt} relative /></span>`;
}
