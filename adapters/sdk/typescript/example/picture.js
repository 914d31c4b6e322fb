// Pictures of products: those of the shop's media library, or a drawing where there is none.

import { el } from './dom.js';
import { drawing } from './art.js';

/**
 * The picture of a product. The policy of this page lets it load pictures of the shop's own server alone, so one that is
 * kept elsewhere is drawn as well. Without `alt` it is decoration: its name stands beside it.
 */
export function picture(shop, name, media, alt = '') {
  if (!isOwn(shop, media)) return drawing(name, alt);
  return el('img', { class: 'art', src: new URL(media.url, shop.baseUrl).href, alt: alt && (media.alt || alt), loading: 'lazy', decoding: 'async', width: media.width, height: media.height });
}

/** Reports whether there is a picture that this page may load. */
export function isOwn(shop, media) {
  return Boolean(media?.url) && new URL(media.url, shop.baseUrl).origin === new URL(shop.baseUrl).origin;
}

/** The pictures of lines of a cart or an order, which name them by id: a map from id to media record. */
export async function picturesOf(shop, lines) {
  const ids = [...new Set(lines.map((line) => line.image).filter(Boolean))];
  if (ids.length === 0) return new Map();
  const { docs } = await shop.client.collections.from('media').find({ where: { id: { in: ids } }, limit: ids.length });
  return new Map(docs.map((media) => [media.id, media]));
}
