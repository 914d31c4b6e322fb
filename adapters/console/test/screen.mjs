// As much of a browser as the modules of screens need: tests import it before these.
import './page.mjs';

globalThis.window ??= /** @type {any} */ (globalThis);
globalThis.document ??= /** @type {any} */ ({ addEventListener: () => undefined, documentElement: { dataset: {}, style: {} }, querySelector: () => null });
globalThis.matchMedia ??= /** @type {any} */ (() => ({ matches: false, addEventListener: () => undefined }));
