import { html, signal, useEffect, useId, useRef } from '../vendor/ui.js';
import { t } from '../base/words.js';
import { Button } from './button.js';
import { Toasts } from './toast.js';

/**
 * Dialog is a window in front of the page: the focus goes into it and, when it is closed, back to where it was. It shows the news, too: the
 * page behind it is neither seen well nor read out.
 * @param {{ title: string, onClose: () => void, children?: any, actions?: any, size?: 'small' | 'large' | 'side' | 'beside', busy?: boolean, top?: any }} props
 * busy: it cannot be closed right now
 */
export function Dialog({ title, onClose, children, actions, size = 'small', busy = false, top }) {
  const ref = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    dialog?.showModal();
    // The way out is the first button of a dialog: who is to type something begins at that.
    const field = dialog?.querySelector('[data-focused]') ?? dialog?.querySelector('.dialog-body :is(input, select, textarea):not([disabled])');
    if (field instanceof HTMLElement) field.focus();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const close = (/** @type {Event} */ e) => {
    e.preventDefault();
    if (!busy) onClose();
  };
  // A browser closes by the second Escape whatever the page says; while it is busy it hears none.
  const keys = (/** @type {KeyboardEvent} */ e) => {
    if (busy && e.key === 'Escape') e.preventDefault();
  };
  const outside = (/** @type {MouseEvent} */ e) => {
    if (e.target === ref.current) close(e);
  };
  return html`<dialog ref=${ref} class=${`dialog ${size}`} aria-labelledby=${id} onCancel=${close} onKeyDown=${keys} onMouseDown=${outside}>
    <div class="dialog-frame">
      <header class="dialog-head">
        <h2 id=${id}>${title}</h2>
        ${top}<${Button} look="quiet" icon="x" label=${t('common.close')} disabled=${busy} onClick=${onClose} />
      </header>
      <div class="dialog-body">${children}</div>
      ${actions && html`<footer class="dialog-foot">${actions}</footer>`}
    </div><${Toasts} />
  </dialog>`;
}

/** @typedef {{ title: string, text: string, action: string, danger?: boolean }} Question */

/** @type {import('../vendor/ui.js').Signal<(Question & { answer: (yes: boolean) => void }) | null>} */
const asked = signal(/** @type {any} */ (null));

/**
 * confirm asks before something is done that cannot be undone. @param {Question} question @returns {Promise<boolean>}
 */
export function confirm(question) {
  return new Promise((resolve) => {
    asked.value = { ...question, answer: resolve };
  });
}

/** Questions shows what confirm asks; the page has it once. */
export function Questions() {
  const q = asked.value;
  if (!q) return null;
  const answer = (/** @type {boolean} */ yes) => {
    asked.value = null;
    q.answer(yes);
  };
  const actions = html`<${Button} onClick=${() => answer(false)}>${t('common.cancel')}<//>
    <${Button} look=${q.danger ? 'danger' : 'primary'} onClick=${() => answer(true)}>${q.action}<//>`;
  return html`<${Dialog} title=${q.title} onClose=${() => answer(false)} actions=${actions}><p>${q.text}</p><//>`;
}
