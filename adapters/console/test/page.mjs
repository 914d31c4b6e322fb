// As much of a browser as hooks need: tests import it first.
globalThis.navigator ??= { languages: ['en'] }; // Node has none up to 20
globalThis.location ??= /** @type {any} */ ({ pathname: '/console/test', origin: 'http://shop.example', search: '' });
globalThis.addEventListener ??= () => {};
globalThis.removeEventListener ??= () => {};

/** page is what a component is rendered into, to run its hooks; nothing of it is shown. @type {any} */
export const page = { nodeType: 1, childNodes: [], firstChild: null, namespaceURI: null, insertBefore: () => {}, ownerDocument: null };

globalThis.requestAnimationFrame ??= /** @type {any} */ ((then) => setTimeout(then));
globalThis.cancelAnimationFrame ??= clearTimeout;
const { setTimeout: wait } = globalThis;

/** settled waits for the effects of what was rendered: each comes by two timers, one made by the other, and may render again. Timers run in
 * the order in which they are due, on a machine however busy. */
export async function settled() {
  for (let timers = 0; timers < 6; timers++) await new Promise((done) => void wait(done, 2));
}
