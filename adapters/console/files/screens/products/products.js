// The products of the shop.
import { html } from '../../vendor/ui.js';
import { money, number } from '../../base/format.js';
import { useShortcuts } from '../../base/keys.js';
import { go, href } from '../../base/route.js';
import { api, can, shop } from '../../base/shop.js';
import { collectionLabel, fieldLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { List } from '../../parts/list.js';
import { Badge, Empty, Page } from '../../parts/state.js';
import { Status, Thumb, Time } from '../../parts/value.js';
import { BulkActions } from './bulk.js';

/** @param {any} p */
const stock = (p) => html`${p.lowStock && html`<${Badge} tone="wait">${t('products.low')}<//>`} <span class="money">${number(p.stock)}</span>`;

/** @type {Record<string, Partial<import('../../parts/table.js').Column>>} */
const cells = {
  name: { width: 'minmax(14rem, 3fr)', cell: (p) => html`<span class="product-name"><${Thumb} of=${p.images?.[0]} /><span>${p.name}</span></span>` },
  status: { width: '9rem' },
  price: { width: '9rem' },
  stock: { width: '9rem', align: 'end', cell: stock },
  variants: { width: '6rem', align: 'end', cell: (p) => html`<span class="money">${number(p.variantCount)}</span>` },
  updatedAt: { width: '9rem', cell: (p) => html`<${Time} at=${p.updatedAt} relative />` },
};

/** @param {any} p */
const card = (p) => html`<span class="product-card">
  <${Thumb} of=${p.images?.[0]} /><span class="grow">${p.name}</span><span class="money">${money(p.price, shop.value?.currency)}</span>
  <span class="badges"><${Status} slug="products" path="status" value=${p.status} /></span><small>${fieldLabel('products', 'stock')} ${stock(p)}</small>
</span>`;

/**
 * counted adds how many variants each product has; where there are too many to count, it says nothing.
 * @param {any[]} docs
 * @param {AbortSignal} signal
 */
async function counted(docs, signal) {
  if (docs.length === 0 || !can('product-variants:read')) return docs;
  /** @type {Map<string, number>} */
  const counts = new Map();
  const of = { where: { product: { in: docs.map((d) => d.id) } }, limit: 500, depth: 0, select: { product: true } };
  for (let page = 1, last = false; !last; page++) {
    const found = await api.collections.from('product-variants').find(/** @type {any} */ ({ ...of, page }), { signal });
    for (const { product } of /** @type {any[]} */ (found.docs)) counts.set(product, (counts.get(product) ?? 0) + 1);
    last = !found.hasNextPage;
    if (page === 4 && !last) return docs;
  }
  return docs.map((d) => ({ ...d, variantCount: counts.get(d.id) ?? 0 }));
}

const columns = ['name', 'status', 'price', 'stock', 'variants', 'updatedAt'];

export default function Products() {
  const may = can('products:create');
  useShortcuts(may ? [{ keys: 'n', label: t('products.add'), run: () => go('/products/new') }] : []);
  const add = may && html`<${Button} look="primary" icon="plus" href=${href('/products/new')}>${t('products.add')}<//>`;
  const empty = html`<${Empty} icon="tag" title=${t('products.none')} text=${t('products.noneText')} action=${add} />`;
  return html`<${Page} title=${collectionLabel('products')} class="full" top=${add}>
    <${List} slug="products" label=${collectionLabel('products')} depth=${1} link=${(/** @type {any} */ p) => href(`/products/${p.id}`)} columns=${columns}
      cells=${cells} extra=${['variants']}
      sort="-updatedAt" live=${['product-variants']} bring=${counted} card=${card} empty=${empty}
      actions=${can('products:update') && ((/** @type {Set<string>} */ ids, /** @type {() => void} */ clear) => html`<${BulkActions} ids=${ids}
        onDone=${clear} />`)} />
  <//>`;
}
