import { html } from '../vendor/ui.js';
import { number } from '../base/format.js';
import { ended } from '../base/job.js';
import { t } from '../base/words.js';
import { Status } from './value.js';

/**
 * Progress is how far a job is.
 * @param {{ slug: 'exports' | 'imports', job: { status: string, handled: number, total: number | null }, small?: boolean }} props small: in a line of a list
 */
export function Progress({ slug, job, small = false }) {
  const { status, handled, total } = job;
  if (small && ended(job)) return html`<${Status} slug=${slug} path="status" value=${status} />`;
  const told = total === null ? number(handled) : t('list.handled', { n: handled, total });
  return html`<span class=${`progress ${small ? 'small' : ''}`} role=${small ? undefined : 'status'}>
    <${Status} slug=${slug} path="status" value=${status} />
    ${!ended(job) && html`<progress aria-label=${told} max=${total || 1} value=${total === null ? undefined : handled}></progress>`}
    <span class="money">${told}</span>
  </span>`;
}
