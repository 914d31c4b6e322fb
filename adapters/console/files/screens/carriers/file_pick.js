import { html, useRef, useState } from '../../vendor/ui.js';
import { useShortcuts } from '../../base/keys.js';
import { t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';

/** FilePick takes a carrier's file: chosen, or dropped. @param {{ onFile: (file: File) => void }} props */
export function FilePick({ onFile }) {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const [over, setOver] = useState(false);
  const choose = () => input.current?.click();
  useShortcuts([{ keys: 'o', label: t('carriers.choose'), run: choose }]);
  const dropped = (/** @type {DragEvent} */ e) => {
    e.preventDefault();
    setOver(false);
    const file = e.dataTransfer?.files[0];
    if (file) onFile(file);
  };
  const hover = (/** @type {DragEvent} */ e) => {
    e.preventDefault();
    setOver(true);
  };
  return html`<div class=${`file-drop ${over ? 'over' : ''}`} onDragOver=${hover} onDragLeave=${() => setOver(false)} onDrop=${dropped}>
    <${Icon} name="file-text" size=${32} />
    <p>${t('carriers.drop')}</p>
    <${Button} look="primary" icon="upload" keys="o" onClick=${choose}>${t('carriers.choose')}<//>
    <input ref=${input} type="file" hidden accept=".csv,.txt,.tsv,.xlsx" aria-label=${t('carriers.choose')}
      onChange=${(/** @type {any} */ e) => e.currentTarget.files[0] && onFile(e.currentTarget.files[0])} />
    <p class="help">${t('carriers.columnsHelp')}</p>
  </div>`;
}
