// The shopper's cart. It tells of every change by an event "change", and never decides anything: prices, discounts and
// stock are the server's.

import { language } from './language.js';
import { onElsewhere, recall, remember } from './memory.js';

export class Basket extends EventTarget {
  #client;
  #market; // code; a market has a cart of its own
  #last = Promise.resolve(); // the change before: one follows the other, each on what the one before made

  /** How many changes are under way or wait for their turn. */
  waiting = 0;

  /** The cart as last seen, or null. */
  cart = null;

  constructor(client) {
    super();
    this.#client = client;
    onElsewhere('carts', () => this.load());
  }

  /** How many units are in it. */
  get size() {
    return this.cart ? this.cart.lines.reduce((sum, line) => sum + line.quantity, 0) : 0;
  }

  /** Goes to the cart of a market. */
  async open(market) {
    this.#market = market ?? '';
    await this.load();
    if (this.cart && recall('languages')?.[this.#market] !== language) await this.#translate().catch(() => {}); // the old one sells, too
  }

  /** A cart keeps the language it was made in: moves what is in it to one of the page's. */
  async #translate() {
    const { id, lines } = this.cart;
    if (lines.length === 0) return this.forget();
    const { cart: empty } = await this.#create();
    const { cart } = await this.#client.commerce.carts.merge({ sourceCartId: id, targetCartId: empty.id });
    this.adopt(cart);
    this.#show(cart);
  }

  get #id() {
    return recall('carts')?.[this.#market];
  }

  /** Remembers a cart as the one of its market. */
  adopt(cart, market = this.#market) {
    remember('languages', { ...recall('languages'), [market ?? '']: language });
    remember('carts', { ...recall('carts'), [market ?? '']: cart.id });
  }

  /** Leaves the cart behind, for it became an order. */
  forget() {
    const { [this.#market]: gone, ...others } = recall('carts') ?? {};
    remember('carts', others);
    this.#show(null);
  }

  /** Asks the server how the cart is now. */
  async load() {
    const cartId = this.#id;
    if (!cartId) return this.#show(null);
    try {
      const { cart } = await this.#client.commerce.carts.retrieve({ cartId });
      if (cart.status === 'active') this.#show(cart);
      else this.forget();
    } catch (error) {
      if (error.status !== 404) throw error;
      this.forget();
    }
  }

  /** Adds units of a variant. Adding means the same whatever else is in the cart: after a conflict it is asked for anew. */
  async add(item) {
    const cartId = this.#id;
    if (!cartId) {
      const { cart } = await this.#create({ items: [item] });
      this.adopt(cart);
      return this.#show(cart);
    }
    const add = () => this.#client.commerce.carts.addItem({ cartId, ...item });
    try {
      await this.#change(add);
    } catch (error) {
      if (!this.#id) await this.add(item); // the cart is no more, and forgotten by now: this makes a new one
      else if (error.reason === 'cart_revision_conflict') await this.#change(add);
      else throw error;
    }
  }

  #create(more) {
    return this.#client.commerce.carts.create({ ...(this.#market && { market: this.#market }), ...more });
  }

  /** Sets the quantity of a line; 0 takes it out. Of event tickets, `admissions` names who comes, one for each. */
  async setQuantity(lineId, quantity, admissions) {
    await this.#change(() => this.#client.commerce.carts.updateItem({ cartId: this.#id, lineId, quantity, ...(admissions && { admissions }) }));
  }

  async remove(lineId) {
    await this.#change(() => this.#client.commerce.carts.removeItem({ cartId: this.#id, lineId }));
  }

  /** Replaces the discount codes: the whole list, in the order they apply. */
  async setCodes(discountCodes) {
    await this.#change(() => this.#client.commerce.carts.updateDiscountCodes({ cartId: this.#id, discountCodes }));
  }

  /** Does one change. When the cart is another than we thought, it is read again before anybody hears of it. */
  async #change(operation) {
    const { cart } = await this.#inTurn(async () => {
      try {
        return await operation();
      } catch (error) {
        if (error.status === 404 || ['cart_revision_conflict', 'cart_not_active'].includes(error.reason)) await this.load();
        throw error;
      }
    });
    this.#show(cart);
  }

  async #inTurn(work) {
    this.waiting++;
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    try {
      return await done;
    } finally {
      this.waiting--;
    }
  }

  #show(cart) {
    this.cart = cart;
    this.dispatchEvent(new Event('change'));
  }
}
