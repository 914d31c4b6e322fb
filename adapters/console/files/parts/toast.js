import { computed, effect, html, signal } from '../vendor/ui.js';
import { createCommerceIdempotencyKey } from '../vendor/sdk.js';
import { useShortcuts } from '../base/keys.js';
import { refusalOf } from '../base/refusal.js';
import { environment, shop, user } from '../base/shop.js';
import { t } from '../base/words.js';
import { Button } from './button.js';
import { Icon } from './icon.js';

/** @typedef {{ text: string, kind: 'done' | 'failed', undo?: () => void }} News */
/** @typedef {News & { id: number }} Toast */

/**
 * @typedef {(options: { idempotencyKey: string }) => Promise<unknown>} Undo sends the opposite of a change, under the revision that the change
 * made: what somebody did since is refused, not overwritten. It answers false where it has told by itself what came of it.
 */

/** @type {import('../vendor/ui.js').Signal<Toast[]>} */
const toasts = signal(/** @type {Toast[]} */ ([]));

let count = 0;

/** Whose work it is that can be undone. */
const at = computed(() => `${user.value?.id} ${shop.value?.id} ${environment.value}`);

effect(() => {
  void at.value;
  toasts.value = toasts.peek().filter((one) => !one.undo);
});

/**
 * tell says for some seconds that something was done.
 * @param {string} text
 * @param {Undo | false | null | undefined} [undo] takes it back: for what is no money, no message and guards nothing
 */
export function tell(text, undo) {
  if (undo) offer(text, undo, { idempotencyKey: createCommerceIdempotencyKey() });
  else show({ text, kind: 'done' }, 5000);
}

/**
 * offer tells what can be undone: once, but as the same operation again where nobody knows what became of it.
 * @param {string} text
 * @param {Undo} undo
 * @param {{ idempotencyKey: string }} options
 */
function offer(text, undo, options) {
  const here = at.value;
  const run = async () => {
    try {
      if ((await undo(options)) !== false) tell(t('common.undone'));
    } catch (e) {
      complain(e);
      if (refusalOf(e).unknown && at.value === here) offer(text, undo, options);
    }
  };
  show({ text, kind: 'done', undo: () => void run() }, 20_000);
}

/** complain says that something was refused, where there is no field or form to say it at. @param {unknown} e */
export function complain(e) {
  const { alone, id } = refusalOf(e);
  warn(id ? `${alone} (${id})` : alone);
}

/** warn says what did not come about. @param {string} text */
export function warn(text) {
  show({ text, kind: 'failed' }, 15_000);
}

/** @param {News} toast @param {number} time */
function show(toast, time) {
  const id = ++count;
  // What was done last is news; what was refused stays to be read, and of what can be undone the last.
  const others = toasts.value.filter((one) => one.kind === 'failed' || (one.undo && !toast.undo));
  toasts.value = [...others.slice(-3), { ...toast, id }];
  setTimeout(() => close(id), time);
}

/** @param {number} id */
function close(id) {
  toasts.value = toasts.value.filter((one) => one.id !== id);
}

/** take undoes what a toast tells. @param {Pick<Toast, 'id' | 'undo'>} toast */
function take({ id, undo }) {
  close(id);
  undo?.();
}

/** Toasts shows them: on the page, and in each window before it. */
export function Toasts() {
  const last = toasts.value.find((one) => one.undo);
  useShortcuts(last ? [{ keys: 'mod+z', label: t('common.undo'), run: () => take(last) }] : []);
  return html`<div class="toasts" role="status" aria-live="polite">
    ${toasts.value.map(
      ({ undo, id, text, kind }) => html`<div class=${`toast ${kind}`} key=${id}>
        <${Icon} name=${kind === 'done' ? 'circle-check' : 'circle-alert'} />
        <p>${text}</p>
        ${undo && html`<${Button} look="quiet" keys="mod+z" onClick=${() => {
          /** @type {HTMLElement | null} */ (document.querySelector('main h1'))?.focus({ preventScroll: true });
          take({ undo, id });
        }}>${t('common.undo')}<//>`}
        <${Button} look="quiet" icon="x" label=${t('common.close')} onClick=${() => close(id)} />
      </div>`,
    )}
  </div>`;
}
