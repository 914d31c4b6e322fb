// What the reader looks at: a narrow screen, light or dark. Paper is narrow, but no screen.
import { effect, signal } from '../vendor/ui.js';
import { recall, remember } from './memory.js';

const small = matchMedia('screen and (max-width: 719px)');

/** Whether the screen is that of a phone. @type {import('../vendor/ui.js').Signal<boolean>} */
export const narrow = signal(small.matches);
small.addEventListener('change', () => {
  narrow.value = small.matches;
});

/** @typedef {'system' | 'light' | 'dark'} Theme */

/** @type {import('../vendor/ui.js').Signal<Theme>} */
export const theme = signal(/** @type {Theme} */ (recall('theme') ?? 'system'));

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  remember('theme', theme.value === 'system' ? null : theme.value);
});
