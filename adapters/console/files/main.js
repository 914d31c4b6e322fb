import { effect, html, render } from './vendor/ui.js';
import { words, language } from './base/words.js';
import { heed } from './base/keys.js';
import { listen } from './base/live.js';
import { forget } from './base/query.js';
import { enter, user } from './base/shop.js';
import { App } from './shell/app.js';

document.documentElement.lang = language.value;
heed();
listen();
// What one person has seen is not for the next at this machine, however the first left.
let last = user.value?.id;
effect(() => {
  if (last !== undefined && user.value?.id !== last) forget();
  last = user.value?.id;
});
await Promise.all([words('common', 'shell', 'list', 'login', 'today'), enter().catch(() => undefined)]);
render(html`<${App} />`, /** @type {HTMLElement} */ (document.getElementById('app')));
performance.mark('console-shown');
