// Where things are: the same list makes the navigation, the palette and the keys.
import { screenOf } from '../base/route.js';
import { can } from '../base/shop.js';
import { collectionLabel, t } from '../base/words.js';

/**
 * @typedef {object} Place
 * @property {string} screen such as `/orders`
 * @property {string} icon
 * @property {string} label
 * @property {string} needs permission without which it is not shown; '' for none
 * @property {string} [keys] such as `g o`
 */

/** @returns {{ label: string, places: Place[] }[]} */
export function places() {
  /** @type {(slug: string, icon: string) => Place} */
  const records = (slug, icon) => ({ screen: screenOf(slug), icon, label: collectionLabel(slug), needs: `${slug}:read` });
  const groups = [
    {
      label: '',
      places: [
        { screen: '/', icon: 'house', label: t('shell.today'), needs: '', keys: 'g t' },
        { screen: '/orders', icon: 'shopping-cart', label: collectionLabel('orders'), needs: 'orders:read', keys: 'g o' },
        { ...records('draft-orders', 'phone'), keys: 'g d' },
        { screen: '/packing', icon: 'package', label: t('shell.packing'), needs: 'fulfillment-orders:read', keys: 'g p' },
        { screen: '/carriers', icon: 'truck', label: collectionLabel('carrier-batches'), needs: 'carrier-batches:read', keys: 'g b' },
        { ...records('return-requests', 'undo-2'), keys: 'g r' },
        { ...records('payment-sessions', 'credit-card'), label: t('shell.payments'), keys: 'g m' },
        { ...records('customers', 'users'), keys: 'g c' },
      ],
    },
    {
      label: t('shell.catalog'),
      places: [
        { screen: '/products', icon: 'tag', label: collectionLabel('products'), needs: 'products:read', keys: 'g a' },
        { screen: '/stock', icon: 'warehouse', label: t('shell.stock'), needs: 'product-variants:read', keys: 'g s' },
        { ...records('categories', 'list'), screen: '/categories' },
        records('brands', 'circle-check'),
        records('tags', 'tags'),
        records('market-prices', 'banknote'),
        records('tax-rates', 'file-text'),
        records('discounts', 'percent'),
      ],
    },
    {
      label: t('shell.content'),
      places: [{ ...records('media', 'image'), screen: '/media', keys: 'g i' }, records('videos', 'play'), { ...records('posts', 'file-text'), screen: '/posts' }, { ...records('pages', 'file-text'), screen: '/pages' }],
    },
    {
      label: t('shell.money'),
      places: [records('transactions', 'list'), records('disputes', 'triangle-alert'), records('checkouts', 'credit-card')],
    },
    {
      label: t('shell.settings'),
      places: [
        { screen: '/settings', icon: 'settings', label: t('shell.shopSettings'), needs: 'tenants:read', keys: 'g j' },
        records('stock-locations', 'warehouse'),
        { screen: '/team', icon: 'user', label: t('shell.team'), needs: 'users:read', keys: 'g h' },
        { screen: '/keys', icon: 'key', label: collectionLabel('api-keys'), needs: 'api-keys:read', keys: 'g k' },
        { screen: '/webhooks', icon: 'webhook', label: t('shell.webhooks'), needs: 'webhook-endpoints:read', keys: 'g w' },
        records('mail-deliveries', 'send'),
        { screen: '/transfers', icon: 'file-text', label: t('shell.transfers'), needs: 'exports:read', keys: 'g x' },
        { screen: '/events', icon: 'clock', label: t('shell.events'), needs: '', keys: 'g e' },
        { screen: '/usage', icon: 'columns-3', label: t('shell.usage'), needs: '' },
      ],
    },
  ];
  return groups
    .map(({ label, places }) => ({ label, places: places.filter((p) => !p.needs || can(p.needs)) }))
    .filter(({ places }) => places.length > 0);
}
