// The list of a collection: search, filters, order and columns are in the address, so a list can be sent to somebody.
import { html, useEffect, useLocation, useMemo, useRef, useState } from '../vendor/ui.js';
import { filtersOf, whereOf } from '../base/filters.js';
import { useShortcuts } from '../base/keys.js';
import { pageSize, useRows } from '../base/rows.js';
import { searched } from '../base/route.js';
import { fieldAt, useSchema } from '../base/schema.js';
import { narrow } from '../base/screen.js';
import { api, can, environment, shop } from '../base/shop.js';
import { heldBack, useViews } from '../base/views.js';
import { fieldLabel, language, t } from '../base/words.js';
import { Button } from './button.js';
import { ExportDialog, exportable } from './export.js';
import { Filters } from './filters.js';
import { Icon } from './icon.js';
import { Menu } from './menu.js';
import { Empty, Loading, Notice } from './state.js';
import { Table } from './table.js';
import { Value, nameOf } from './value.js';
import { Views } from './views.js';

/** @typedef {import('./table.js').Column} Column */
/** @typedef {import('../base/schema.js').Schema} Schema */

/**
 * @typedef {object} ListProps
 * @property {string} slug
 * @property {string} label
 * @property {(row: any) => string} [link]
 * @property {string[]} columns paths of the fields that are shown unless the reader chooses others
 * @property {Record<string, Partial<Column>>} [cells] columns that are made by hand, by path
 * @property {string[]} [extra] paths of fields that columns can be chosen from besides, nested ones such as `customerSnapshot.name`
 * @property {string} [sort] the order unless the reader chooses another
 * @property {number} [depth] levels of relations that are shown
 * @property {string[]} [live] collections whose events make the list stale besides its own
 * @property {(row: any) => any} [card]
 * @property {any} empty what stands where there are no records at all
 * @property {(selected: Set<string>, clear: () => void) => any} [actions] what can be done with those that are selected
 * @property {any} [top] beside the search
 * @property {Record<string, any>} [where] a filter that always holds
 * @property {(row: any) => void} [onOpen] what a row does in place of leading somewhere
 * @property {(docs: any[], signal: AbortSignal) => Promise<any[]>} [bring] adds to records what their collection does not have
 * @property {string} [find] path that the search goes by, where the collection has no search of its own: `order.orderNumber`
 * @property {Record<string, import('../base/schema.js').SchemaField>} [related] fields of related records that rows are filtered by, by path
 */

/** @param {ListProps} props */
export function List(props) {
  const schema = useSchema(props.slug);
  if (schema === null) return html`<${Empty} icon="lock" title=${t('common.notYours')} />`;
  return html`<${Listed} ...${props} schema=${schema} />`;
}

/** @param {ListProps & { schema: Schema }} props */
function Listed(props) {
  const { slug, schema, label, link, columns, cells = {}, extra = [], sort = '-createdAt', depth = 0, live = [], card, empty, actions, top, where } = props;
  const { onOpen, bring, find, related = {} } = props;
  useLocation();
  const query = new URLSearchParams(location.search);
  const filters = filtersOf(query);
  const [q, setQ] = useState(query.get('q') ?? '');
  const [selected, setSelected] = useState(/** @type {Set<string>} */ (new Set()));
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const asked = query.get('q') ?? '';
  const order = query.get('sort') ?? sort;
  const shown = query.get('columns')?.split(',') ?? columns;
  const { may, views, view, awaited, reload } = useViews(slug);
  const [exporting, setExporting] = useState(false);
  const held = heldBack(view, schema);
  const filter = both(held, whereOf(filters, (path) => related[path] ?? fieldAt(schema, path)));
  const named = find && asked ? { [find]: { contains: asked } } : undefined;
  const all = both(both(where, filter), named);
  const ranked = asked !== '' && !find;
  const input = { depth, limit: pageSize, ...(all && { where: all }), ...(ranked ? { q: asked } : { sort: order }) };
  const name = `${shop.value?.id} ${environment.value} ${slug} ${JSON.stringify(input)}`;
  const collection = /** @type {any} */ (api.collections.from(/** @type {any} */ (slug)));
  const read = async (/** @type {number} */ page, /** @type {AbortSignal} */ signal) => {
    const found = await collection.find({ ...input, page }, { signal });
    return bring ? { ...found, docs: await bring(found.docs, signal) } : found;
  };
  const rows = useRows(name, read, [slug, ...live]);
  useEffect(() => setSelected(new Set()), [name]);

  const change = (/** @type {Record<string, string | null>} */ values) => {
    const next = new URLSearchParams(location.search);
    for (const [key, value] of Object.entries(values)) value ? next.set(key, value) : next.delete(key);
    searched(next);
  };
  const sent = useRef(asked);
  useEffect(() => {
    if (asked !== sent.current) setQ(asked); // by a link or the way back; what is typed while a search runs stays
    sent.current = asked;
  }, [asked]);
  useEffect(() => {
    if (q === asked) return undefined;
    const timer = setTimeout(() => {
      sent.current = q;
      change({ q });
    }, 200);
    return () => clearTimeout(timer);
  }, [q]);
  const mayExport = exportable(slug) && can('exports:read');
  useShortcuts([
    { keys: '/', label: t('list.search'), run: () => field.current?.focus() },
    { keys: 'r', label: t('list.reload'), run: rows.reload },
    ...(mayExport ? [{ keys: 'e', label: t('list.export'), run: () => setExporting(true) }] : []),
  ]);

  const fields = useMemo(() => [...schema.fields.map((f) => f.name), ...extra], [schema]);
  const made = useMemo(() => shown.map((path) => columnOf(slug, schema, path, cells[path])).filter((c) => c !== undefined), [schema, shown.join(), language.value]);
  const filterable = useMemo(() => filterableOf(schema, extra, related), [schema, Object.keys(related).join()]);
  const none = asked || Object.keys(filters).length > 0 ? html`<${Empty} icon="search" title=${t('list.nothingFound')} text=${t('list.nothingFoundText')}
    action=${html`<${Button} onClick=${() => searched(new URLSearchParams())}>${t('list.clear')}<//>`} />` : empty;
  const columnItems = fields.filter((path) => !hidden.includes(path)).map((path) => ({
    label: fieldLabel(slug, path), on: shown.includes(path),
    run: () => change({ columns: (shown.includes(path) ? shown.filter((p) => p !== path) : [...shown, path]).join() }),
  }));

  return html`<div class="list">
    <div class="list-bar">
      ${(schema.searchable || find) &&
      html`<div class="search"><${Icon} name="search" />
        <input ref=${field} type="search" value=${q} placeholder=${find ? fieldLabel(slug, find) : t('list.search')} aria-label=${t('list.search')}
          onInput=${(/** @type {any} */ e) => setQ(e.currentTarget.value)} /></div>`}
      <${Filters} slug=${slug} filterable=${filterable} filters=${filters} onChange=${(/** @type {string} */ path, /** @type {string | null} */ value) => change({ [path]: value })} />
      ${held && html`<span class="chip">${t('list.viewFilter')}</span>`}
      <div class="list-tools">
        ${top}
        ${may && html`<${Views} ...${{ schema, views, view, reload, columns }} shown=${{ where: filter, sort: order, columns: shown, q: asked }} />`}
        ${mayExport && html`<${Button} look="quiet" icon="download" label=${t('list.export')} onClick=${() => setExporting(true)} />`}
        <${Menu} label=${t('list.columns')} icon="columns-3" look="quiet" items=${columnItems} />
        <span class="count" aria-live="polite">${rows.total === undefined ? '' : t('list.count', { n: rows.total })}</span>
      </div>
    </div>
    ${rows.stale && html`<${Notice} action=${html`<${Button} icon="refresh-cw" onClick=${rows.reload}>${t('list.reload')}<//>`}>${t('list.stale')}<//>`}
    ${selected.size > 0 &&
    actions &&
    html`<div class="selection" role="region" aria-label=${t('list.selection')}>
      <b>${t('list.selected', { n: selected.size })}</b>
      ${narrow.value && html`<${Button} look="quiet" onClick=${() => setSelected(new Set(rows.all().map((r) => r.id)))}>${t('common.selectLoaded')}<//>`}
      ${actions(selected, () => setSelected(new Set()))}
      <${Button} look="quiet" onClick=${() => setSelected(new Set())}>${t('list.unselect')}<//>
    </div>`}
    ${exporting && html`<${ExportDialog} slug=${slug} where=${all} q=${ranked ? asked : ''} sort=${ranked ? '' : order} columns=${shown} total=${rows.total} onClose=${() => setExporting(false)} />`}
    ${awaited ? html`<${Loading} lines=${8} />` : html`<${Table} label=${label} columns=${made} rows=${rows} link=${link} onOpen=${onOpen} card=${card}
      sort=${ranked ? '' : order} onSort=${ranked ? undefined : (/** @type {string} */ s) => change({ sort: s })}
      selected=${selected} onSelect=${actions ? setSelected : undefined} empty=${none} />`}
  </div>`;
}

/**
 * both is a filter that holds where two do, either of which may be none.
 * @param {any} a
 * @param {any} b
 */
const both = (a, b) => (a && b ? { and: [a, b] } : (a ?? b));

/** Fields that no list shows. */
const hidden = ['tenant', 'environment', 'revision'];

/**
 * @param {string} slug
 * @param {Schema} schema
 * @param {string} path
 * @param {Partial<Column> | undefined} own
 * @returns {Column | undefined}
 */
function columnOf(slug, schema, path, own) {
  const field = fieldAt(schema, path);
  if (!field && !own?.cell) return undefined;
  const numeric = field && ['money', 'number', 'integer'].includes(field.kind);
  const value = (/** @type {any} */ row) => path.split('.').reduce((tree, name) => tree?.[name], row);
  const cell = (/** @type {any} */ row) => (field ? html`<${Value} slug=${slug} path=${path} field=${field} value=${value(row)} record=${row} />` : nameOf(row));
  const sort = field?.indexed ? path : undefined;
  const look = { ...(numeric && { align: /** @type {const} */ ('end') }), ...(field?.kind === 'date' && { width: 'minmax(10.5rem, 1fr)' }) };
  return { key: path, label: fieldLabel(slug, path), cell, ...look, ...(sort && { sort }), ...own };
}

/**
 * @param {Schema} schema
 * @param {string[]} extra
 * @param {Record<string, import('../base/schema.js').SchemaField>} related
 */
function filterableOf(schema, extra, related) {
  const simple = ['text', 'email', 'select', 'selects', 'boolean', 'date', 'number', 'integer', 'money', 'texts', 'relation', 'relations'];
  return [...schema.fields.map((f) => f.name), ...extra, ...Object.keys(related)].flatMap((path) => {
    const field = related[path] ?? fieldAt(schema, path);
    return field && simple.includes(field.kind) && !field.unqueried && !hidden.includes(path) ? [{ path, field }] : [];
  });
}
