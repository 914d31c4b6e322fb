// What is there of each variant, what runs low, and how it came to that.
import { html, useLocation, useState } from '../../vendor/ui.js';
import { number } from '../../base/format.js';
import { useShortcuts } from '../../base/keys.js';
import { useQuery } from '../../base/query.js';
import { href, search, searched } from '../../base/route.js';
import { pageSize, useRows } from '../../base/rows.js';
import { api, can, environment, idOf } from '../../base/shop.js';
import { collectionLabel, fieldLabel, optionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { SelectField } from '../../parts/field.js';
import { List } from '../../parts/list.js';
import { Badge, Empty, Page } from '../../parts/state.js';
import { Table } from '../../parts/table.js';
import { Time, nameOf } from '../../parts/value.js';
import { AdjustStock } from './adjust.js';

/** What there is to look at. */
const tabs = /** @type {const} */ (['low', 'all', 'movements']);

export default function Stock() {
  useLocation();
  const query = search();
  const asked = /** @type {any} */ (query.get('tab'));
  const places = usePlaces();
  const at = asked === 'movements' ? '' : (query.get('location') ?? '');
  const tab = at ? 'all' : tabs.includes(asked) ? /** @type {typeof tabs[number]} */ (asked) : 'low';
  const show = (/** @type {string} */ tab, location = '') => searched(new URLSearchParams({ tab, ...(location && { location }) }));
  const chooses = places.length > 0 && tab !== 'movements';
  const label = fieldLabel('stock-movements', 'location');
  useShortcuts([
    ...tabs.map((name, i) => ({ keys: String(i + 1), label: t(`stock.tab-${name}`), run: () => show(name) })),
    ...(chooses ? [{ keys: 'l', label, run: () => /** @type {HTMLElement | null} */ (document.querySelector('.page-head select'))?.focus() }] : []),
  ]);
  const top = html`${tab === 'low' && html`<${LowProducts} />`}
    ${chooses && html`<${Button} look="quiet" icon="settings" label=${collectionLabel('stock-locations')} href=${href('/records/stock-locations')} />
      <${SelectField} hideLabel ...${{ label, value: at }} empty=${t('stock.everywhere')} onInput=${(/** @type {string} */ id) => show('all', id)}
        options=${places.map(({ id, name }) => ({ value: id, label: name ?? '' }))} />`}
    <div class="segments" role="group" aria-label=${t('stock.look')}>
      ${tabs.map((name) => html`<button type="button" key=${name} aria-pressed=${name === tab} onClick=${() => show(name)}>${t(`stock.tab-${name}`)}</button>`)}
    </div>`;
  return html`<${Page} title=${t('stock.title')} class="full" top=${top}>
    ${tab === 'movements' ? html`<${Movements} placed=${places.length > 0} />` : html`<${Levels} key=${tab + at} low=${tab === 'low'} at=${at} />`}
  <//>`;
}

/** usePlaces is the locations of the shop, in their order: none until they are read, and where the reader may not see them. */
function usePlaces() {
  const read = (/** @type {AbortSignal} */ signal) => api.collections.from('stock-locations').find({ limit: 500, sort: 'position', depth: 0 }, { signal });
  return useQuery(can('stock-locations:read') ? 'stock locations' : '', read, { live: ['stock-locations'] }).data?.docs ?? [];
}

/** LowProducts leads to products that are low as a whole, by their own threshold. */
function LowProducts() {
  const read = (/** @type {AbortSignal} */ signal) => api.collections.from('products').count({ where: { lowStock: { equals: true } } }, { signal });
  const { data } = useQuery(can('products:read') ? 'low products' : '', read, { live: ['products', 'stock-movements'] });
  if (!data?.totalDocs) return null;
  const text = t('stock.lowProducts', { n: data.totalDocs });
  return html`<${Button} icon="tag" href=${href('/products?lowStock=true')}>${text}<//>`;
}

/** nameOfVariant is what a variant is called, with its product. @param {any} v */
const nameOfVariant = (v) => [v?.product?.name, v?.title].filter((s, i, all) => s && s !== all[i - 1]).join(' · ') || v?.sku || '—';

/** Named is a variant with its product; the part that tells it apart stays in sight. @param {{ of: any }} props */
function Named({ of }) {
  const [product, ...rest] = nameOfVariant(of).split(' · ');
  return html`<span class="variant-name"><span>${product}</span>${rest.length > 0 && html`<span>· ${rest.join(' · ')}</span>`}</span>`;
}

/** free is how many units nobody has a claim on. @param {any} v */
const free = (v) => (v.trackInventory === false ? t('stock.any') : number((v.stock ?? 0) - (v.reserved ?? 0)));

/** @type {Record<string, Partial<import('../../parts/table.js').Column>>} */
const levels = {
  title: { width: 'minmax(14rem, 3fr)', cell: (v) => html`<${Named} of=${v} />` },
  lowStock: { width: '7rem', cell: (v) => v.lowStock && html`<${Badge} tone="wait">${fieldLabel('product-variants', 'lowStock')}<//>` },
  sku: { width: 'minmax(8rem, 1fr)' },
  stock: { width: '7rem', align: 'end' },
  reserved: { width: '7rem', align: 'end' },
  free: { width: '7rem', align: 'end', cell: free },
  lowStockThreshold: { width: '9rem', align: 'end' },
};

/** @param {any} v */
const levelCard = (v) => html`<span class="stock-card"><b>${nameOfVariant(v)}</b><span class="money">${number(v.stock)}</span>
  <small>${v.sku ?? ''} ${v.lowStock && html`<${Badge} tone="wait">${fieldLabel('product-variants', 'lowStock')}<//>`}</small>
  <small>${fieldLabel('product-variants', 'reserved')} ${number(v.reserved)}</small></span>`;

/** @param {{ low: boolean, at: string }} props at: the location that is looked at; '' for all */
function Levels({ low, at }) {
  const [open, setOpen] = useState(/** @type {any} */ (null));
  const opens = can('stock:adjust') ? { onOpen: setOpen } : { link: (/** @type {any} */ v) => href(`/products/${idOf(v.product)}`) };
  const empty = low
    ? html`<${Empty} icon="circle-check" title=${t('stock.noneLow')} text=${t('stock.noneLowText')} />`
    : html`<${Empty} icon="warehouse" title=${t('stock.none')} text=${t('stock.noneText')} />`;
  const label = t(low ? 'stock.tab-low' : 'stock.tab-all');
  return html`${at ? html`<${Lying} ...${{ at, label, opens }} />` : html`<${List} slug="product-variants" label=${label} depth=${1}
    columns=${Object.keys(levels)} cells=${{ ...levels, free: { ...levels.free, label: t('stock.free') } }}
      sort="-updatedAt" where=${low ? { lowStock: { equals: true } } : undefined} live=${['stock-movements']} card=${levelCard} empty=${empty} ...${opens} />`}
    ${open && html`<${AdjustStock} id=${open.id} name=${nameOfVariant(open)} at=${at} onClose=${() => setOpen(null)} />`}`;
}

/**
 * Lying is the variants of which units lie at a location, with all that is on hand of them.
 * @param {{ at: string, label: string, opens: Partial<import('../../parts/table.js').TableProps> }} props
 */
function Lying({ at, label, opens }) {
  const read = async (/** @type {number} */ page, /** @type {AbortSignal} */ signal) => {
    const { docs, totalDocs } = await api.call('GET /api/stock-locations/{id}/stock', { id: at, page, limit: pageSize }, { signal });
    const id = { in: docs.map(({ variant }) => variant.id) };
    const variants = docs.length ? (await api.collections.from('product-variants').find({ where: { id }, limit: pageSize, depth: 1 }, { signal })).docs : [];
    return { docs: docs.map(({ variant, units }) => ({ ...variants.find((v) => v.id === variant.id), id: variant.id, units })), totalDocs };
  };
  const rows = useRows(`${environment.value} ${at}`, read, ['stock-movements']);
  useShortcuts([{ keys: 'r', label: t('list.reload'), run: rows.reload }]);
  const { title, sku, stock, reserved } = levels;
  const columns = Object.entries({ title, sku, units: { ...stock, label: t('stock.here') }, stock, reserved }).map(([key, column]) => ({
    key, label: fieldLabel('product-variants', key), cell: (/** @type {any} */ v) => (column?.align ? number(v[key]) : v[key] ?? '—'), ...column,
  }));
  const empty = html`<${Empty} icon="warehouse" title=${t('stock.noneHere')} text=${t('stock.noneHereText')}
    action=${html`<${Button} href=${href('/stock?tab=all')}>${t('stock.everywhere')}<//>`} />`;
  const card = (/** @type {any} */ v) => levelCard({ ...v, stock: v.units });
  return html`<div class="list">
    <div class="list-bar"><div class="list-tools"><span class="count" aria-live="polite">${rows.total === undefined
      ? '' : t('list.count', { n: rows.total })}</span></div></div>
    <${Table} ...${{ label, columns, rows, card, empty, ...opens }} />
  </div>`;
}

/** signed is how many units came or went, or were moved. @param {any} m */
const signed = (m) => html`<span class="money">${m.delta > 0 ? '+' : ''}${number(m.units ?? m.delta)}</span>`;

/** who changed it. @param {any} m */
const who = ({ actor, actorName }) => actorName ?? (actor?.kind ? optionLabel('timeline', 'actor.kind', actor.kind) : t('common.somebody'));

/**
 * named adds the names of the people who changed stock, to movements that have their ids only.
 * @param {any[]} docs
 * @param {AbortSignal} signal
 */
async function named(docs, signal) {
  const ids = [...new Set(docs.flatMap((m) => (m.actor?.kind === 'user' && m.actor.id ? [m.actor.id] : [])))];
  if (ids.length === 0 || !can('users:read')) return docs;
  const { docs: people } = await api.collections.from('users').find({ where: { id: { in: ids } }, limit: ids.length, depth: 0 }, { signal });
  return docs.map((m) => {
    const person = people.find((p) => p.id === m.actor?.id);
    return person ? { ...m, actorName: person.name || person.email } : m;
  });
}

/** whereOf is the location of a movement, or the way between two; '' where nobody said. @param {any} m */
const whereOf = ({ kind, from, location }) => {
  const name = (/** @type {any} */ place) => (place ? nameOf(place) : t('stock.nowhere'));
  return kind === 'transfer' ? `${name(from)} → ${name(location)}` : location ? nameOf(location) : '';
};

/** @type {Record<string, Partial<import('../../parts/table.js').Column>>} */
const movements = {
  variant: { width: 'minmax(14rem, 3fr)', cell: (m) => html`<${Named} of=${m.variant} />` },
  delta: { width: '6rem', align: 'end', cell: signed },
  stockAfter: { width: '7rem', align: 'end' },
  kind: { width: '8rem' },
  location: { width: 'minmax(12rem, 1.5fr)', cell: whereOf },
  reason: { width: 'minmax(8rem, 1.5fr)', cell: (m) => (m.reason === m.kind ? html`<span class="none">—</span>` : m.reason) },
  actor: { width: '8rem', cell: who },
  createdAt: { width: '13rem', cell: (m) => html`<${Time} at=${m.createdAt} />` },
};

/** @param {any} m */
const movementCard = (m) => html`<span class="stock-card"><b>${nameOfVariant(m.variant)}</b><b>${signed(m)}</b>
  <small>${optionLabel('stock-movements', 'kind', m.kind)}
    ${[m.reason === m.kind ? '' : m.reason, whereOf(m)].filter(Boolean).map((text) => `· ${text} `)}</small>
  <small><${Time} at=${m.createdAt} relative /></small></span>`;

/** @param {{ placed: boolean }} props whether the shop has locations */
function Movements({ placed }) {
  const empty = html`<${Empty} icon="warehouse" title=${t('stock.noMovements')} text=${t('stock.noMovementsText')} />`;
  const cells = { ...movements, createdAt: { ...movements.createdAt, label: t('stock.when') } };
  const link = (/** @type {any} */ m) => href(idOf(m.order) ? `/orders/${idOf(m.order)}` : `/products/${idOf(m.product) ?? idOf(m.variant?.product)}`);
  return html`<${List} slug="stock-movements" label=${collectionLabel('stock-movements')} depth=${2}
    columns=${Object.keys(cells).filter((path) => placed || path !== 'location')} cells=${cells} bring=${named}
    link=${link} card=${movementCard} empty=${empty} />`;
}
