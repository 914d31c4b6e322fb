import { html } from '../vendor/ui.js';
import { t } from '../base/words.js';
import { Button } from './button.js';
import { complain, tell } from './toast.js';

/** Copied is a text to take along, with a button that does. @param {{ text: string, label: string }} props */
export function Copied({ text, label }) {
  const copy = () => navigator.clipboard.writeText(text).then(() => tell(t('common.copied')), complain);
  return html`<div class="copied"><code role="group" aria-label=${label} tabindex="0">${text}</code>
    <${Button} icon="copy" label=${t('common.copy')} onClick=${copy} /></div>`;
}

/** Json is a tree as programs have it, to be read. @param {{ label: string, value: unknown }} props */
export function Json({ label, value }) {
  return html`<pre class="tree" tabindex="0" role="group" aria-label=${label}>${JSON.stringify(value, null, 2)}</pre>`;
}
