// Where an order is.
import { html } from '../../vendor/ui.js';
import { optionLabel } from '../../base/words.js';
import { Status } from '../../parts/value.js';

/**
 * Statuses are the badges of an order. Its status and that of its payment may be called alike: that is said once.
 * @param {{ order: any, paths: string[] }} props
 */
export function Statuses({ order, paths }) {
  const labels = paths.map((path) => optionLabel('orders', path, order[path]));
  return html`<span class="badges">${paths.filter((_, i) => labels.indexOf(labels[i] ?? '') === i).map(
    (path) => html`<${Status} key=${path} slug="orders" path=${path} value=${order[path]} />`,
  )}</span>`;
}
