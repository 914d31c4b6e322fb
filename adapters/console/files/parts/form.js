// What stands below a form: what was refused, what was restored, what others changed, and the button.
import { html, useEffect, useState } from '../vendor/ui.js';
import { useForm } from '../base/form.js';
import { useShortcuts } from '../base/keys.js';
import { same } from '../base/tree.js';
import { fieldLabel, t } from '../base/words.js';
import { Button } from './button.js';
import { Dialog } from './dialog.js';
import { Notice } from './state.js';
import { tell } from './toast.js';

/** @typedef {import('../base/form.js').Form} Form */

/**
 * FormFoot is the end of a form.
 * @param {{ form: Form, onCancel?: () => void, id: string, action?: string, danger?: boolean, slug?: string, ready?: boolean, keys?: string,
 *   saves?: boolean, told?: (name: string, value: any) => any }} props
 * id: of the form element; slug: of the collection whose record is edited; ready: whether it may go out as it stands, which is once something
 * was typed unless said, and always again while nobody knows what became of it; keys: the shortcut that sends it, as its button says;
 * saves: what is typed goes out by the keys for saving; told: how a value of it is said; danger: the way out is called to close, for what is done may be to cancel
 */
export function FormFoot({ form, onCancel, id, action = t('common.save'), danger = false, slug = '', ready = form.dirty, keys, saves = false, told = said }) {
  useShortcuts(saves ? [{ keys: 'mod+s', label: t('common.save'), everywhere: true, run: () => form.save() }] : []);
  const elsewhere = useWrong(form, id);
  return html`<div class="form-foot">
    ${form.overtaken.length > 0 && html`<${Overtaken} ...${{ form, slug, told }} />`}
    ${form.restored && !form.refusal && html`<${Notice} action=${html`<${Button} onClick=${form.reset}>${t('common.discard')}<//>`}>${t('common.restored')}<//>`}
    ${form.refusal && html`<${Notice} kind="bad">${form.refusal.text}
      ${form.refusal.id && html` <small>${t('common.requestId', { id: form.refusal.id })}</small>`}
      ${elsewhere.length > 0 && html`<ul>${elsewhere.map(([name, text]) => html`<li key=${name}>
        ${slug ? fieldLabel(slug, name) : name}: ${text}</li>`)}</ul>`}<//>`}
    <div class="buttons">
      ${onCancel && html`<${Button} onClick=${onCancel}>${t(danger ? 'common.close' : 'common.cancel')}<//>`}
      <${Button} look=${danger ? 'danger' : 'primary'} type="submit" form=${id} keys=${keys} busy=${form.busy}
        disabled=${!ready && !form.unsure}>${action}<//>
    </div>
  </div>`;
}

/**
 * useWrong goes to the first wrong input of a form that was refused, which may be far above the button that sent it. What no input of the
 * form says, such as what is wrong with a column of its file, is what it answers.
 * @param {Form} form
 * @param {string} id
 * @returns {[string, string][]} names with sentences
 */
function useWrong(form, id) {
  const [lost, setLost] = useState(/** @type {[string, string][]} */ ([]));
  useEffect(() => {
    const sent = document.getElementById(id);
    const wrong = /** @type {HTMLElement | null | undefined} */ (form.refusal && sent?.querySelector('[aria-invalid="true"]'));
    wrong?.focus();
    // A form without inputs of its own has them all over the screen, and says there what is wrong.
    const whole = sent?.querySelector('input, select, textarea');
    const said = [form.refusal?.text, ...[...sent?.querySelectorAll('.error') ?? []].map((el) => el.textContent)];
    setLost(whole ? unsaid(Object.entries(form.refusal?.fields ?? {}), said) : []);
  }, [form.refusal]);
  return lost;
}

/**
 * unsaid are errors that are not said yet; what is said once is one of those that say the same.
 * @param {[string, string][]} errors names with sentences @param {(string | null | undefined)[]} said
 */
export function unsaid(errors, said) {
  const left = [...said];
  return errors.filter(([, text]) => {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/**
 * useAct is the form of what is done to a record in a window: it is kept nowhere, and when it is done, that is told and the window goes.
 * @param {{ name: string, initial: import('../base/form.js').Values, said: string, onClose: () => void, onChanged: () => void,
 *   send: (typed: import('../base/form.js').Values, options: { idempotencyKey: string }) => Promise<unknown> }} act
 */
export function useAct({ said, onClose, onChanged, send, ...form }) {
  return useForm({
    ...form, keep: false, refresh: onChanged,
    send: (typed, { idempotencyKey }) => send(typed, { idempotencyKey }),
    onSent: () => {
      onClose();
      onChanged();
      tell(said);
    },
  });
}

/**
 * FormDialog is a form in a window.
 * @param {{ form: Form, id: string, title: string, onClose: () => void, size?: 'small' | 'large', action?: string, danger?: boolean, slug?: string,
 *   ready?: boolean, class?: string, children?: any }} props those of FormFoot and of Dialog
 */
export function FormDialog({ form, id, title, onClose, size, class: name = '', children, ...foot }) {
  return html`<${Dialog} ...${{ title, size, onClose }} busy=${form.busy} actions=${html`<${FormFoot} ...${foot} form=${form} id=${id} onCancel=${onClose} />`}>
    <form id=${id} class=${`stack ${name}`} onSubmit=${form.send}>${children}</form>
  <//>`;
}

/** Overtaken compares an edit with what others changed meanwhile. @param {{ form: Form, slug: string, told: (name: string, value: any) => any }} props */
function Overtaken({ form, slug, told }) {
  return html`<${Notice} kind="warn">
    <p>${t('common.overtaken')}</p>
    <div class="scroll"><table class="compared">
      <thead><tr><th>${t('common.field')}</th><th>${t('common.was')}</th><th>${t('common.theirs')}</th><th>${t('common.mine')}</th></tr></thead>
      <tbody>${form.overtaken.flatMap((one) => partsOf(one, form)).map(({ name, was, theirs, mine, both, take }) => html`<tr key=${name}>
        <th scope="row">${fieldLabel(slug, name)}</th>
        <td>${told(name, was)}</td>
        <td>${told(name, theirs)} ${both && html`<${Button} onClick=${take}>${t('common.takeTheirs')}<//>`}</td>
        <td>${mine === undefined ? '' : html`<b>${told(name, mine)}</b>`}</td>
      </tr>`)}</tbody>
    </table></div>
    <${Button} onClick=${form.rebase}>${t('common.rebase')}<//>
  <//>`;
}

/** isGroup tells whether a value has members of its own. @param {any} value */
const isGroup = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/**
 * partsOf is what others changed, of a group the members that they changed, with how to take theirs.
 * @param {import('../base/form.js').Overtaken} one
 * @param {Form} form
 * @returns {(import('../base/form.js').Overtaken & { take: () => void })[]}
 */
function partsOf({ name, was, theirs, mine, both }, form) {
  if (!isGroup(was) || !isGroup(theirs)) return [{ name, was, theirs, mine, both, take: () => form.drop(name) }];
  return Object.keys(theirs).filter((part) => !same(was[part], theirs[part])).map((part) => {
    const edited = isGroup(mine) && !same(mine[part], was[part]);
    return {
      name: `${name}.${part}`, was: was[part], theirs: theirs[part], mine: edited ? mine[part] : undefined,
      both: edited && !same(mine[part], theirs[part]), take: () => form.set(`${name}.${part}`, theirs[part]),
    };
  });
}

/** said is a value in a line. @param {string} _ @param {any} value */
export function said(_, value) {
  if (value === null || value === undefined || value === '') return '—';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
