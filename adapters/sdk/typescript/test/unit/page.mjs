// What modules of the example find of a browser, in a language.

/** Opens no page, but says what one in a language would be. Before the modules are imported. */
export function openIn(language) {
  Object.assign(globalThis, {
    document: { documentElement: { lang: '' } }, location: new URL(`https://shop.example/?lang=${language}`),
  });
  Object.defineProperty(globalThis, 'navigator', { value: { languages: [] }, configurable: true });
}
