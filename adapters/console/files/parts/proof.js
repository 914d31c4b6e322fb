// The password once more, where the shop wants to be sure who is at the keyboard.
import { html, signal } from '../vendor/ui.js';
import { useForm } from '../base/form.js';
import { refusalOf } from '../base/refusal.js';
import { t } from '../base/words.js';
import { PasswordField } from './field.js';
import { FormDialog } from './form.js';

/** @typedef {{ text: string, step: (password: string) => Promise<any>, done: (answer: any) => void }} Asked */

/** @type {import('../vendor/ui.js').Signal<Asked | null>} */
const asked = signal(/** @type {any} */ (null));

/**
 * withPassword takes a step, and asks for the password if the shop wants it: with `always` before it is tried. It answers undefined when
 * the person changes their mind. Errors: those of the step without a password.
 * @template T
 * @param {(password?: string) => Promise<T>} step
 * @param {{ always?: boolean, text?: string }} [options] text: what the password is asked for
 * @returns {Promise<T | undefined>}
 */
export async function withPassword(step, { always = false, text = t('common.passwordWhy') } = {}) {
  if (!always) {
    try {
      return await step();
    } catch (e) {
      if (refusalOf(e).reason !== 'password_required') throw e;
    }
  }
  return new Promise((resolve) => {
    asked.value = { text, step, done: resolve };
  });
}

/** Proof shows what withPassword asks; a screen that uses it has it once. */
export function Proof() {
  return asked.value && html`<${Ask} asked=${asked.value} />`;
}

/** @param {{ asked: Asked }} props */
function Ask({ asked: { text, step, done } }) {
  const close = (/** @type {any} */ answer) => {
    asked.value = null;
    done(answer);
  };
  const form = useForm({ name: 'proof', initial: { password: '' }, keep: false, send: async ({ password }) => close(await step(password)) });
  return html`<${FormDialog} form=${form} id="proof" title=${t('common.passwordAgain')} action=${t('common.next')} onClose=${() => close(undefined)}>
    <p>${text}</p>
    <${PasswordField} label=${t('common.password')} autocomplete="current-password" autofocus required ...${form.input('password')} />
  <//>`;
}
