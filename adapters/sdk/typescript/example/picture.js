// Pictures of products: those of the shop's media library, or a drawing where there is none.

import { el } from './dom.js';
import { drawing } from './art.js';

/**
 * The picture of a product, whose handle says what is drawn. The policy of this page lets it load pictures of the shop's own server alone, so one that is
 * kept elsewhere is drawn as well. Without `alt` it is decoration: its name stands beside it.
 */
export function picture(shop, handle, media, alt = '') {
  if (!isOwn(shop, media)) return drawing(handle.replaceAll('-', ' '), alt);
  return el('img', { class: 'art', src: new URL(media.url, shop.baseUrl).href, alt: alt && (media.alt || alt), loading: 'lazy', decoding: 'async', width: media.width, height: media.height });
}

/** Reports whether there is a picture that this page may load. */
export function isOwn(shop, media) {
  return Boolean(media?.url) && new URL(media.url, shop.baseUrl).origin === new URL(shop.baseUrl).origin;
}

/**
 * The pictures of lines of a cart or an order, which name them and their products by id: {media, handles}, maps from id to media
 * record, and to the handle of a product that is sold still.
 */
export async function picturesOf(shop, lines) {
  const read = async (slug, ids, more) => {
    const wanted = [...new Set(ids.filter(Boolean))];
    return wanted.length ? (await shop.client.collections.from(slug).find({ where: { id: { in: wanted } }, limit: wanted.length, ...more })).docs : [];
  };
  const [media, products] = await Promise.all([
    read('media', lines.map((line) => line.image)), read('products', lines.map((line) => line.product), { select: { slug: true } }),
  ]);
  return { media: new Map(media.map((it) => [it.id, it])), handles: new Map(products.map((it) => [it.id, it.slug])) };
}
