// Work that the shop does in the background: exports and imports, webhooks and mails.
import { useEffect } from '../vendor/ui.js';
import { useQuery } from './query.js';
import { save } from './save.js';
import { api } from './shop.js';

/** @typedef {import('../vendor/sdk.js').Schemas['Export']} Export */
/** @typedef {import('../vendor/sdk.js').Schemas['Import']} Import */

/** Whether a job has come to its end, good or bad. @param {{ status: string }} job */
export const ended = (job) => ['done', 'failed', 'canceled'].includes(job.status);

/** Milliseconds between two looks at a job that runs: its events tell sooner, where they come through. */
const pause = 2000;

/**
 * useJob is an export or an import as it goes on; '' reads nothing.
 * @template {'exports' | 'imports'} S
 * @param {S} slug
 * @param {string} id
 */
export function useJob(slug, id) {
  const read = (/** @type {AbortSignal} */ signal) => api.collections.from(slug).findById(id, {}, { signal });
  const query = useQuery(id && `${slug} ${id}`, read, { live: [slug], record: id });
  const job = /** @type {(S extends 'exports' ? Export : Import) | undefined} */ (query.data);
  const running = job !== undefined && !ended(job);
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(query.reload, pause);
    return () => clearInterval(timer);
  }, [running, query.reload]);
  return { ...query, job };
}

/**
 * useNextAttempt looks again at a webhook or a mail once it is tried, of which no event tells.
 * @param {{ nextAttemptAt: string | null } | undefined} delivery
 * @param {() => void} reload
 */
export function useNextAttempt(delivery, reload) {
  useEffect(() => {
    if (!delivery?.nextAttemptAt) return undefined;
    const timer = setTimeout(reload, Math.max(pause, Date.parse(delivery.nextAttemptAt) - Date.now()));
    return () => clearTimeout(timer);
  }, [delivery]);
}

/** download saves the file of an export. Errors: CommerceSDKError. @param {Export} job */
export async function download(job) {
  save(await api.file('GET /api/exports/{id}/file', { id: job.id }), job.fileName ?? `${job.kind}.${job.format}`);
}
