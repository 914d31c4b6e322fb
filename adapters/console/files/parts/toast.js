import { html, signal } from '../vendor/ui.js';
import { refusalOf } from '../base/refusal.js';
import { t } from '../base/words.js';
import { Button } from './button.js';
import { Icon } from './icon.js';

/** @typedef {{ id: number, text: string, kind: 'done' | 'failed', action?: { label: string, run: () => void } | undefined }} Toast */

/** @type {import('../vendor/ui.js').Signal<Toast[]>} */
const toasts = signal(/** @type {Toast[]} */ ([]));

let count = 0;

/**
 * tell says for some seconds that something was done; with an action, such as to undo it.
 * @param {string} text
 * @param {{ label: string, run: () => void }} [action]
 */
export function tell(text, action) {
  show({ text, kind: 'done', action }, action ? 10_000 : 5000);
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

/**
 * @param {Omit<Toast, 'id'>} toast
 * @param {number} time
 */
function show(toast, time) {
  const id = ++count;
  // What was done last is news; what was refused, or can be undone, stays to be read.
  const others = toasts.value.filter((one) => one.kind === 'failed' || one.action);
  toasts.value = [...others.slice(-3), { ...toast, id }];
  setTimeout(() => close(id), time);
}

/** @param {number} id */
function close(id) {
  toasts.value = toasts.value.filter((one) => one.id !== id);
}

/** Toasts shows them; the page has it once. */
export function Toasts() {
  return html`<div class="toasts" role="status" aria-live="polite">
    ${toasts.value.map(
      ({ id, text, kind, action }) => html`<div class=${`toast ${kind}`} key=${id}>
        <${Icon} name=${kind === 'done' ? 'circle-check' : 'circle-alert'} />
        <p>${text}</p>
        ${action &&
        html`<${Button}
          look="quiet"
          onClick=${() => {
            close(id);
            action.run();
          }}
          >${action.label}<//
        >`}
        <${Button} look="quiet" icon="x" label=${t('common.close')} onClick=${() => close(id)} />
      </div>`,
    )}
  </div>`;
}
