// What a shopper chooses between, and its values. Variants follow.
import { html, useState } from '../../vendor/ui.js';
import { t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { TextField } from '../../parts/field.js';
import { Card, Notice } from '../../parts/state.js';
import { maxVariants, newKey, withValue, withoutOption, withoutValue } from './draft.js';

/** @typedef {import('./draft.js').Option} Option */

/** How many options a product has at most. */
const maxOptions = 10;

/** @param {{ form: import('../../base/form.js').Form }} props */
export function Options({ form }) {
  const [full, setFull] = useState(false);
  const { options, variants } = /** @type {import('./draft.js').Draft} */ (form.values);
  const put = (/** @type {{ options: Option[], variants: any[] }} */ next) => {
    setFull(next.variants.length > maxVariants);
    if (next.variants.length > maxVariants) return;
    form.set('options', next.options);
    form.set('variants', next.variants);
  };
  const add = options.length < maxOptions && html`<${Button} icon="plus"
    onClick=${() => form.set('options', [...options, { key: newKey(), name: '', values: [] }])}>${t('products.addOption')}<//>`;
  return html`<${Card} title=${t('products.options')} top=${add}>
    ${options.length === 0 && html`<p class="help">${t('products.optionsHelp')}</p>`}
    ${options.map((option, i) => html`<${OneOption} key=${option.key} ...${{ form, option, at: i }}
      onName=${(/** @type {string} */ name) => form.set(`options.${i}.name`, name)}
      onLabel=${(/** @type {number} */ n, /** @type {string} */ label) => form.set(`options.${i}.values.${n}.label`, label)}
      onAdd=${(/** @type {string} */ label) => put(withValue({ options, variants }, option.key, label))}
      onTake=${(/** @type {string} */ key) => put(withoutValue({ options, variants }, option.key, key))}
      onRemove=${() => put(withoutOption({ options, variants }, option.key))} />`)}
    ${full && html`<${Notice} kind="warn">${t('products.tooMany', { n: maxVariants })}<//>`}
  <//>`;
}

/**
 * @param {{ form: import('../../base/form.js').Form, option: Option, at: number, onName: (name: string) => void, onLabel: (n: number, label: string) => void,
 *   onAdd: (label: string) => void, onTake: (key: string) => void, onRemove: () => void }} props
 */
function OneOption({ form, option, at, onName, onLabel, onAdd, onTake, onRemove }) {
  const [text, setText] = useState('');
  const add = () => {
    const label = text.trim();
    setText('');
    if (label && !option.values.some((v) => v.label === label)) onAdd(label);
  };
  const keys = (/** @type {KeyboardEvent} */ e) => {
    if (e.isComposing || (e.key !== 'Enter' && e.key !== ',')) return;
    e.preventDefault();
    add();
  };
  const name = option.name || t('products.option', { n: at + 1 });
  return html`<fieldset class="stack group option"><legend class="aside">${name}</legend>
    <div class="with-button">
      <${TextField} label=${t('products.optionName')} value=${option.name} error=${form.error(`options.${at}.name`)}
        placeholder=${t('products.optionExample')} onInput=${onName} />
      <${Button} look="quiet" icon="trash" label=${t('common.removeNamed', { name })} onClick=${onRemove} />
    </div>
    <div class="values" role="group" aria-label=${t('products.valuesOf', { name })}>
      ${option.values.map((v, n) => html`<div class="value-input" key=${v.key}>
        <${TextField} label=${t('products.value', { name, n: n + 1 })} hideLabel value=${v.label} error=${form.error(`options.${at}.values.${n}.label`)}
          onInput=${(/** @type {string} */ label) => onLabel(n, label)} />
        <${Button} look="quiet" icon="x" label=${t('common.removeNamed', { name: v.label })} onClick=${() => onTake(v.key)} />
      </div>`)}
      <div class="value-input" onKeyDown=${keys} onFocusOut=${add}>
        <${TextField} label=${t('products.newValue', { name })} hideLabel placeholder=${t('products.valueExample')} value=${text} onInput=${setText} />
      </div>
    </div>
  </fieldset>`;
}
