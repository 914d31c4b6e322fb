// As much of a browser as hooks need: tests import it first.
globalThis.navigator ??= { languages: ['en'] }; // Node has none up to 20
globalThis.location ??= /** @type {any} */ ({ pathname: '/console/test', origin: 'http://shop.example', search: '' });
globalThis.addEventListener ??= () => {};
globalThis.removeEventListener ??= () => {};

/** page is what a component is rendered into, to run its hooks; nothing of it is shown. @type {any} */
export const page = { nodeType: 1, childNodes: [], firstChild: null, namespaceURI: null, insertBefore: () => {}, ownerDocument: null };
