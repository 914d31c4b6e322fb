/** What is needed of a cart to tell which state is newer. */
export interface Revised {
  id: string;
  revision: number | null;
}

/** How many carts are remembered: far more than one shopper has, few enough for a server that runs for months. */
const most = 200;

/** cartCache remembers the newest state that was seen of each cart. Rule sdk-2: a replayed receipt never replaces a newer cart. */
export function cartCache() {
  const seen = new Map<string, any>();
  return {
    /** Takes notice of a cart, and answers the newest state that is known of it. */
    observe<C extends Revised>(cart: C): C {
      const known = seen.get(cart.id);
      const newest = known && known.revision > (cart.revision ?? 0) ? known : cart;
      seen.delete(cart.id);
      seen.set(cart.id, newest);
      if (seen.size > most) seen.delete(seen.keys().next().value ?? '');
      return newest;
    },
    cached: (cartId: string) => seen.get(cartId),
    clear: () => seen.clear(),
  };
}
