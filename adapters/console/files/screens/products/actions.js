// What can be done with a whole product.
import { html } from '../../vendor/ui.js';
import { go } from '../../base/route.js';
import { api, can, environment } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Acts, useAttempt } from '../../parts/acts.js';
import { remove } from '../../parts/remove.js';
import { tell } from '../../parts/toast.js';

/** @param {{ product: import('./draft.js').Whole, dirty: boolean }} props */
export function ProductActions({ product, dirty }) {
  const { id, name, slug, status } = product;
  const [, attempt] = useAttempt();
  const duplicate = () => attempt(async () => {
    const copy = await api.call('POST /api/products/{id}/duplicate', { id, name: t('products.copyOf', { name }) });
    tell(t(dirty ? 'products.duplicatedSaved' : 'products.duplicated'));
    go(`/products/${copy.product.id}`);
  });
  const removal = {
    from: api.collections.from('products'), id, title: t('products.delete', { name }), text: t('products.deleteText'),
    said: t('products.deleted', { name }), then: () => go('/products', { replace: true }),
  };
  const shown = status === 'published' || status === 'unlisted';
  const look = () => void window.open(`/demo/#/products/${encodeURIComponent(slug ?? '')}`, '_blank', 'noopener');
  return html`<${Acts} others=${[
    // The example storefront shows the test environment.
    shown && environment.value === 'test' && { keys: 'v', label: t('products.preview'), icon: 'eye', run: look },
    can('products:create') && { keys: 'd', label: t('products.duplicate'), icon: 'copy', run: duplicate },
    can('products:delete') && { label: t('common.delete'), icon: 'trash', danger: true, run: () => remove(removal) },
  ]} />`;
}
