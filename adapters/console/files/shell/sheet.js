import { html } from '../vendor/ui.js';
import { shortcuts } from '../base/keys.js';
import { t } from '../base/words.js';
import { Keys } from '../parts/button.js';
import { Dialog } from '../parts/dialog.js';

/** Sheet is the shortcuts that work right now, those of the screen first. @param {{ onClose: () => void }} props */
export function Sheet({ onClose }) {
  const groups = [...shortcuts.value].reverse().filter((list) => list.length > 0);
  return html`<${Dialog} title=${t('shell.sheet')} onClose=${onClose} size="large">
    <div class="sheet">
      ${groups.map((list) => html`<dl>${list.map((s) => html`<div><dt>${s.label}</dt><dd><${Keys} keys=${s.keys} /></dd></div>`)}</dl>`)}
      <dl>
        <div><dt>${t('shell.keysMove')}</dt><dd><${Keys} keys="j" /><${Keys} keys="k" /></dd></div>
        <div><dt>${t('shell.keysSelect')}</dt><dd><${Keys} keys="x" /></dd></div>
        <div><dt>${t('shell.keysOpen')}</dt><dd><${Keys} keys="Enter" /></dd></div>
      </dl>
    </div>
  <//>`;
}
