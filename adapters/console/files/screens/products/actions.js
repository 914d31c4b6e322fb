// What can be done with a whole product.
import { html, useState } from '../../vendor/ui.js';
import { useShortcuts } from '../../base/keys.js';
import { go } from '../../base/route.js';
import { api, can, environment } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { confirm } from '../../parts/dialog.js';
import { Menu } from '../../parts/menu.js';
import { complain, tell } from '../../parts/toast.js';

/** @param {{ product: import('./draft.js').Whole, dirty: boolean }} props */
export function ProductActions({ product, dirty }) {
  const { id, name, slug, status } = product;
  const [busy, setBusy] = useState(false);
  const act = async (/** @type {() => Promise<void>} */ work) => {
    if (busy) return;
    setBusy(true);
    await work().catch(complain);
    setBusy(false);
  };
  const duplicate = () => act(async () => {
    const copy = await api.call('POST /api/products/{id}/duplicate', { id, name: t('products.copyOf', { name }) });
    tell(t(dirty ? 'products.duplicatedSaved' : 'products.duplicated'));
    go(`/products/${copy.product.id}`);
  });
  const remove = () => act(async () => {
    if (!(await confirm({ title: t('products.delete', { name }), text: t('products.deleteText'), action: t('common.delete'), danger: true }))) return;
    await api.collections.from('products').remove(id);
    go('/products', { replace: true });
    tell(t('products.deleted', { name }));
  });
  const shown = status === 'published' || status === 'unlisted';
  const look = () => void window.open(`/demo/#/products/${encodeURIComponent(slug ?? '')}`, '_blank', 'noopener');
  // The example storefront shows the test environment.
  const preview = shown && environment.value === 'test' ? [{ label: t('products.preview'), icon: 'external-link', run: look }] : [];
  const copy = can('products:create') ? [{ label: t('products.duplicate'), icon: 'copy', run: () => void duplicate() }] : [];
  const away = can('products:delete') ? [{ label: t('common.delete'), icon: 'trash', danger: true, run: () => void remove() }] : [];
  useShortcuts([...preview, ...copy].map(({ label, run }, i) => ({ keys: preview.length > i ? 'v' : 'd', label, run })));
  const items = [...preview, ...copy, ...away];
  return items.length > 0 && html`<${Menu} label=${t('common.more')} items=${items} />`;
}
