// Inputs with their label, their help and what is wrong with them.
import { html, useId, useState } from '../vendor/ui.js';
import { timeZone } from '../base/shop.js';
import { t } from '../base/words.js';
import { localIn, momentIn } from '../base/zone.js';
import { Button } from './button.js';
import { Icon } from './icon.js';

/**
 * @typedef {object} FieldProps
 * @property {string} label
 * @property {string} [help]
 * @property {string} [error] what the shop says is wrong
 * @property {boolean} [required]
 * @property {boolean} [hideLabel] the label is only read out
 * @property {string} [class]
 */

/**
 * Field is the frame of an input; children gets the attributes that tie the input to its label.
 * @param {FieldProps & { children: (attributes: Record<string, any>) => any, group?: boolean }} props
 */
export function Field({ label, help, error, required = false, hideLabel = false, class: name = '', group = false, children }) {
  const id = useId();
  const described = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;
  const attributes = { id, 'aria-describedby': described, 'aria-invalid': error ? 'true' : undefined, required };
  const mark = required && html`<span class="required" aria-hidden="true">*</span>`;
  return html`<div class=${`field ${error ? 'wrong' : ''} ${name}`}>
    ${group ? html`<span class="label" id=${id}>${label}${mark}</span>` : html`<label class=${hideLabel ? 'aside' : ''} for=${id}>${label}${mark}</label>`}
    ${children(group ? { role: 'group', 'aria-labelledby': id } : attributes)}
    ${error && html`<p class="error" id=${`${id}-error`}><${Icon} name="circle-alert" size=${14} />${error}</p>`}
    ${help && html`<p class="help" id=${`${id}-help`}>${help}</p>`}
  </div>`;
}

/**
 * TextField is one line of text, or several.
 * @param {FieldProps & { value: string, onInput: (value: string) => void, type?: string, rows?: number, placeholder?: string, disabled?: boolean,
 *   autocomplete?: string, inputmode?: string, maxLength?: number, autofocus?: boolean, name?: string, mono?: boolean, spellcheck?: boolean }} props
 */
export function TextField({ value, onInput, type = 'text', rows, label, help, error, required, hideLabel, class: name, mono, autofocus, ...rest }) {
  const input = (/** @type {any} */ e) => onInput(e.currentTarget.value);
  const focus = (/** @type {HTMLElement | null} */ el) => {
    if (autofocus && el && !el.dataset.focused) {
      el.dataset.focused = 'yes';
      el.focus();
    }
  };
  return html`<${Field} ...${{ label, help, error, required, hideLabel, class: name }}>
    ${(/** @type {any} */ a) =>
      rows
        ? html`<textarea ...${a} ...${rest} ref=${focus} rows=${rows} value=${value} class=${mono ? 'mono' : ''} onInput=${input}></textarea>`
        : html`<input ...${a} ...${rest} ref=${focus} type=${type} value=${value} class=${mono ? 'mono' : ''} onInput=${input} />`}
  <//>`;
}

/** Account is whose a password is, for what keeps passwords: nobody sees it, but it has to be an input of text. @param {{ email: string | undefined }} props */
export const Account = ({ email }) => html`<input type="text" hidden readonly autocomplete="username" value=${email} />`;

/** PasswordField can be read on request. @param {any} props those of TextField */
export function PasswordField(props) {
  const [shown, setShown] = useState(false);
  return html`<div class="with-button">
    <${TextField} ...${props} type=${shown ? 'text' : 'password'} spellcheck=${false} />
    <${Button} look="quiet" icon=${shown ? 'eye-off' : 'eye'} label=${t(shown ? 'common.hidePassword' : 'common.showPassword')} aria-pressed=${shown}
      onClick=${() => setShown(!shown)} />
  </div>`;
}

/**
 * NumberField is a number as text, so that nothing is rounded while it is typed; '' for none.
 * @param {FieldProps & { value: string | number | null | undefined, onInput: (value: string) => void, unit?: string, [rest: string]: any }} props
 */
export function NumberField({ value, onInput, unit, label, help, error, required, hideLabel, class: name, ...rest }) {
  return html`<${Field} ...${{ label, help, error, required, hideLabel, class: name }}>
    ${(/** @type {any} */ a) => html`<div class="with-unit">
      <input ...${a} ...${rest} type="text" inputmode="decimal" class="number" value=${value ?? ''} onInput=${(/** @type {any} */ e) => onInput(e.currentTarget.value)} />
      ${unit && html`<span class="unit" aria-hidden="true">${unit}</span>`}
    </div>`}
  <//>`;
}

/**
 * SelectField is one of several values.
 * @param {FieldProps & { value: string, onInput: (value: string) => void, options: { value: string, label: string }[], empty?: string, disabled?: boolean }} props
 * empty: label of no value
 */
export function SelectField({ value, onInput, options, empty, label, help, error, required, hideLabel, class: name, ...rest }) {
  return html`<${Field} ...${{ label, help, error, required, hideLabel, class: name }}>
    ${(/** @type {any} */ a) => html`<div class="select">
      <select ...${a} ...${rest} onChange=${(/** @type {any} */ e) => onInput(e.currentTarget.value)}>
        ${empty !== undefined && html`<option value="" selected=${value === ''}>${empty}</option>`}
        ${options.map((o) => html`<option value=${o.value} selected=${o.value === value}>${o.label}</option>`)}
      </select>
      <${Icon} name="chevron-down" size=${16} />
    </div>`}
  <//>`;
}

/**
 * CheckField is yes or no.
 * @param {{ label: string, help?: string, error?: string, wrong?: boolean, value: boolean, onInput: (value: boolean) => void, disabled?: boolean }} props
 * wrong: so is the group that it is part of, which says why
 */
export function CheckField({ label, help, error, wrong = Boolean(error), value, onInput, disabled }) {
  const id = useId();
  const described = help || error ? `${id}-help` : undefined;
  return html`<div class=${`check ${error ? 'wrong' : ''}`}>
    <input id=${id} type="checkbox" checked=${value} disabled=${disabled} aria-describedby=${described}
      aria-invalid=${wrong ? 'true' : undefined} onChange=${(/** @type {any} */ e) => onInput(e.currentTarget.checked)} />
    <label for=${id}>${label}</label>
    ${(help || error) && html`<p class=${error ? 'error' : 'help'} id=${`${id}-help`}>${error ?? help}</p>`}
  </div>`;
}

/**
 * DateField is a day, or a moment: typed as the clocks of the shop show it, given and taken as RFC 3339.
 * @param {FieldProps & { value: string, onInput: (value: string) => void, moment?: boolean, [rest: string]: any }} props '' for none
 */
export function DateField({ value, onInput, moment = false, label, help, error, required, hideLabel, class: name, ...rest }) {
  const zone = timeZone.value;
  // A browser tells of the year 2 while 2026 is typed: what is no day of our time yet stays in the input.
  const [begun, setBegun] = useState(/** @type {string | null} */ (null));
  const shown = begun ?? (moment && value ? localIn(value, zone) : value);
  const input = (/** @type {any} */ e) => {
    const text = e.currentTarget.value;
    const done = text === '' || /^[12]\d{3}-/.test(text);
    setBegun(done ? null : text);
    if (done) onInput(moment && text ? momentIn(text, zone) : text);
  };
  return html`<${Field} ...${{ label, help, error, required, hideLabel, class: name }}>
    ${(/** @type {any} */ a) => html`<input ...${a} ...${rest} type=${moment ? 'datetime-local' : 'date'} value=${shown} onChange=${input} />`}
  <//>`;
}

/**
 * LabelsField is a list of short texts: Enter or a comma adds one, Backspace takes the last away.
 * @param {FieldProps & { value: string[], onInput: (value: string[]) => void, placeholder?: string }} props
 */
export function LabelsField({ value, onInput, placeholder, ...frame }) {
  const [text, setText] = useState('');
  const add = () => {
    const more = text.split(',').map((s) => s.trim()).filter((s) => s && !value.includes(s));
    setText('');
    if (more.length > 0) onInput([...value, ...more]);
  };
  const keys = (/** @type {KeyboardEvent} */ e) => {
    if (e.isComposing) return;
    if ((e.key === 'Enter' || e.key === ',') && text.trim()) {
      e.preventDefault();
      add();
    } else if (e.key === 'Backspace' && text === '' && value.length > 0) onInput(value.slice(0, -1));
  };
  return html`<${Field} ...${frame}>
    ${(/** @type {any} */ a) => html`<div class="labels">
      ${value.map((one) => html`<span class="chip" key=${one}>${one}
        <button type="button" aria-label=${t('common.removeNamed', { name: one })} onClick=${() => onInput(value.filter((v) => v !== one))}><${Icon} name="x" size=${14} /></button>
      </span>`)}
      <input ...${a} required=${false} type="text" value=${text} placeholder=${placeholder} onKeyDown=${keys} onBlur=${add}
        onInput=${(/** @type {any} */ e) => setText(e.currentTarget.value)} />
    </div>`}
  <//>`;
}

/**
 * ChecksField is any number of several values.
 * @param {FieldProps & { value: string[], onInput: (value: string[]) => void, options: { value: string, label: string }[] }} props
 */
export function ChecksField({ value, onInput, options, ...frame }) {
  const toggle = (/** @type {string} */ one) => onInput(value.includes(one) ? value.filter((v) => v !== one) : [...value, one]);
  return html`<${Field} ...${frame} group>
    ${(/** @type {any} */ a) => html`<div ...${a} class="options">
      ${options.map((o) => html`<label key=${o.value}><input type="checkbox" aria-invalid=${frame.error ? 'true' : undefined}
        checked=${value.includes(o.value)} onChange=${() => toggle(o.value)} />${o.label}</label>`)}
    </div>`}
  <//>`;
}
