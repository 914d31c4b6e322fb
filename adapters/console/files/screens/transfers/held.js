// The files that were tried in this tab, so that what was tried can be brought in without choosing the file again.
import { createCommerceIdempotencyKey } from '../../vendor/sdk.js';
import { onForget } from '../../base/query.js';

/** @typedef {import('../../base/job.js').Import} Import */

/** @type {Map<string, { file: File, idempotencyKey: string }>} */
const files = new Map();
onForget(() => files.clear());

/**
 * hold keeps the file of a trial, with the key under which it will be brought in once.
 * @param {string} trial id
 * @param {File} file
 */
export function hold(trial, file) {
  files.set(trial, { file, idempotencyKey: createCommerceIdempotencyKey() });
}

/** heldFile is the file of a trial; undefined after a reload of the page. @param {string} trial id */
export const heldFile = (trial) => files.get(trial);
