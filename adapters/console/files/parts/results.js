// What became of each of many records that something was done to.
import { html } from '../vendor/ui.js';
import { t } from '../base/words.js';
import { Button } from './button.js';
import { Dialog } from './dialog.js';
import { Icon } from './icon.js';

/** @typedef {{ id: string, name: string, ok: boolean, text: string }} Result */

/** Results lists them. @param {{ title: string, results: Result[], busy?: boolean, onClose: () => void }} props */
export function Results({ title, results, busy = false, onClose }) {
  const actions = html`<${Button} look="primary" disabled=${busy} onClick=${onClose}>${t('common.close')}<//>`;
  return html`<${Dialog} title=${title} onClose=${onClose} busy=${busy} actions=${actions}>
    <ul class="results" tabindex="0">${results.map((r) => html`<li class=${r.ok ? 'ok' : 'failed'} key=${r.id}><${Icon} name=${r.ok ? 'circle-check' : 'circle-alert'}
      size=${16} /><b>${r.name}</b> ${r.text}</li>`)}</ul>
  <//>`;
}
