// What the lists of exports and of imports have in common.
import { html } from '../../vendor/ui.js';
import { href } from '../../base/route.js';
import { can } from '../../base/shop.js';
import { optionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { Page } from '../../parts/state.js';
import { Progress } from '../../parts/progress.js';
import { Time } from '../../parts/value.js';

/** @typedef {import('../../base/job.js').Import['kind']} Kind */

/** What has to be allowed to bring rows of a kind in. @type {Record<Kind, { create: string, update: string }>} */
const needs = {
  products: { create: 'products:create', update: 'products:update' },
  stock: { create: 'stock:adjust', update: 'stock:adjust' },
  customers: { create: 'customers:create', update: 'customers:update' },
  orders: { create: 'orders:import', update: 'orders:import' },
  discounts: { create: 'discounts:create', update: 'discounts:update' },
};

/**
 * importable is the kinds of rows that the user may bring in.
 * @param {'upsert' | 'create' | 'update'} mode
 * @returns {Kind[]}
 */
export function importable(mode) {
  const kinds = /** @type {Kind[]} */ (Object.keys(needs));
  return kinds.filter((k) => (mode === 'update' || can(needs[k].create)) && (mode === 'create' || can(needs[k].update)));
}

/** Whether the user may bring anything in. */
export const mayImport = () => importable('create').length > 0 || importable('update').length > 0;

/**
 * Transfers is the page of both lists.
 * @param {{ at: 'exports' | 'imports', children?: any }} props
 */
export function Transfers({ at, children }) {
  const start = mayImport() && html`<${Button} look="primary" icon="upload" href=${href('/transfers/new')}>${t('transfers.start')}<//>`;
  const to = (/** @type {string} */ screen, /** @type {'exports' | 'imports'} */ name, /** @type {string} */ label) =>
    html`<a href=${href(screen)} aria-current=${at === name ? 'page' : undefined}>${label}</a>`;
  const both = html`<nav class="segments" aria-label=${t('shell.transfers')}>${to('/transfers', 'exports', t('transfers.exports'))}${
    to('/transfers/imports', 'imports', t('transfers.imports'))}</nav>`;
  return html`<${Page} title=${t('shell.transfers')} class="full" top=${start}
    badges=${both}>${children}<//>`;
}

/** JobCard is a job in the list of a phone. @param {{ slug: 'exports' | 'imports', job: any }} props */
export function JobCard({ slug, job }) {
  return html`<span class="job-card"><b>${job.fileName ?? optionLabel(slug, 'kind', job.kind)}</b><${Time} at=${job.createdAt} relative /><${Progress}
    slug=${slug} job=${job} small /></span>`;
}
