// Files on their way into the library, for the whole page: who goes to another screen loses none.
import { signal } from '../../vendor/ui.js';
import { createCommerceIdempotencyKey } from '../../vendor/sdk.js';
import { onForget } from '../../base/query.js';
import { refusalOf } from '../../base/refusal.js';
import { operatorHere } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { warn } from '../../parts/toast.js';

/** @typedef {ReturnType<typeof operatorHere>} Way */
/** @typedef {{ id: number, file: File, to: Way, key: string, state: 'waiting' | 'sending' | 'done' | 'refused', text: string }} Upload */

/** @type {import('../../vendor/ui.js').Signal<Upload[]>} */
export const uploads = signal(/** @type {Upload[]} */ ([]));

/** Files that are sent at the same time. */
const atOnce = 2;

// Who closes the page now loses what is on its way.
addEventListener('beforeunload', (e) => {
  if (uploads.value.some((u) => u.state === 'waiting' || u.state === 'sending')) e.preventDefault();
});

// They are one person's, of one shop: what was not sent there is sent nowhere else.
onForget(() => {
  const unsent = uploads.value.filter((u) => u.state === 'waiting').length;
  uploads.value = [];
  if (unsent > 0) warn(t('media.unsent', { n: unsent }));
});

let count = 0;
let running = 0;

/** upload sends files, some at a time. @param {File[]} files */
export function upload(files) {
  const state = /** @type {const} */ ('waiting');
  // They go into the shop in which they were dropped, wherever the person is when their turn comes.
  const to = operatorHere();
  const more = files.map((file) => ({ id: ++count, file, to, key: createCommerceIdempotencyKey(), state, text: '' }));
  uploads.value = [...uploads.value, ...more];
  next();
}

/** again tries a file once more that was refused. @param {number} id */
export function again(id) {
  set(id, { state: 'waiting', text: '' });
  next();
}

/** clear forgets those that have come to their end. */
export function clear() {
  uploads.value = uploads.value.filter((u) => u.state === 'waiting' || u.state === 'sending');
}

/**
 * @param {number} id
 * @param {Partial<Upload>} change
 */
function set(id, change) {
  uploads.value = uploads.value.map((u) => (u.id === id ? { ...u, ...change } : u));
}

function next() {
  const waiting = uploads.value.find((u) => u.state === 'waiting');
  if (!waiting || running >= atOnce) return;
  running++;
  set(waiting.id, { state: 'sending' });
  void send(waiting).finally(() => {
    running--;
    next();
  });
  next();
}

/** @param {Upload} one */
async function send({ id, file, to, key }) {
  try {
    await to.upload('/api/media', { file, filename: file.name }, { idempotencyKey: key });
    set(id, { state: 'done' });
  } catch (e) {
    const { text, unknown } = refusalOf(e);
    // The same key would be answered with the same refusal. But a file of which nobody knows whether it came is sent as the same one again.
    set(id, { state: 'refused', text, key: unknown ? key : createCommerceIdempotencyKey() });
  }
}
