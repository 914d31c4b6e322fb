import { html } from '../vendor/ui.js';
import { icons } from '../vendor/icons.js';

/**
 * Icon is a picture beside words: who does not see it misses nothing.
 * @param {{ name: string, size?: number }} props
 */
export function Icon({ name, size = 18 }) {
  const frame = { width: size, height: size, viewBox: '0 0 24 24', fill: 'none', stroke: 'currentColor', 'stroke-width': 1.75 };
  return html`<svg ...${frame} class="icon" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d=${icons[name]} /></svg>`;
}
