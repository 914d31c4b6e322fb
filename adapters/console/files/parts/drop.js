import { html, useRef, useState } from '../vendor/ui.js';
import { useShortcuts } from '../base/keys.js';
import { Icon } from './icon.js';

/**
 * Drop takes files: dropped on it, pasted from a folder, or chosen.
 * @param {{ label: string, help?: string, accept: string, many?: boolean, error?: string, keys?: string, onFiles: (files: File[]) => void }} props
 */
export function Drop({ label, help, accept, many = false, error, keys, onFiles }) {
  const [over, setOver] = useState(false);
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  useShortcuts(keys ? [{ keys, label, run: () => input.current?.click() }] : []);
  const take = (/** @type {FileList | null | undefined} */ files) => {
    setOver(false);
    if (files?.length) onFiles([...files].slice(0, many ? undefined : 1));
  };
  const drag = (/** @type {DragEvent} */ e) => {
    e.preventDefault();
    setOver(e.type !== 'dragleave');
  };
  return html`<label class=${`drop ${over ? 'over' : ''} ${error ? 'wrong' : ''}`} onDragEnter=${drag} onDragOver=${drag} onDragLeave=${drag}
    onDrop=${(/** @type {DragEvent} */ e) => {
      e.preventDefault();
      take(e.dataTransfer?.files);
    }}>
    <${Icon} name="upload" size=${24} /><b>${label}</b>${help && html`<small>${help}</small>`}
    ${error && html`<span class="error">${error}</span>`}
    <input ref=${input} type="file" accept=${accept} multiple=${many} onChange=${(/** @type {any} */ e) => {
      take(e.currentTarget.files);
      e.currentTarget.value = '';
    }} />
  </label>`;
}
