import { html, useEffect, useRef, useState } from '../../vendor/ui.js';
import { useShortcuts } from '../../base/keys.js';
import { t } from '../../base/words.js';
import { Icon } from '../../parts/icon.js';
import { Field } from '../../parts/field.js';

/**
 * ScanField takes codes of a scanner, which types them and Enter, or of people. While it is empty, arrows choose a line, plus and minus
 * count it. The focus comes back to it from wherever it gets lost; Escape lets it go.
 * @param {{ told: import('./counting.js').Told | null, focused: boolean, onScan: (code: string) => void, onMove: (by: number) => void,
 *   onStep: (by: number) => void }} props focused: it takes the focus by itself
 */
export function ScanField({ told, focused, onScan, onMove, onStep }) {
  const [code, setCode] = useState('');
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  useShortcuts([{ keys: '/', label: t('packing.scan'), run: () => input.current?.focus() }]);
  const take = () => {
    if (focused && document.activeElement === document.body && !document.querySelector('dialog[open]')) input.current?.focus({ preventScroll: true });
  };
  useEffect(() => {
    if (focused) input.current?.focus({ preventScroll: true });
    // Where the focus goes is known only after it has left.
    const lost = () => void setTimeout(take);
    document.addEventListener('focusout', lost);
    return () => document.removeEventListener('focusout', lost);
  }, [focused]);
  // What had the focus may be gone, which nothing tells of.
  useEffect(take);
  const keys = (/** @type {KeyboardEvent} */ e) => {
    if (e.isComposing || e.ctrlKey || e.metaKey || e.altKey) return;
    const empty = code === '';
    if (e.key === 'Enter') {
      if (!empty) onScan(code.trim());
      setCode('');
    } else if (e.key === 'ArrowDown' || e.key === 'ArrowUp') onMove(e.key === 'ArrowDown' ? 1 : -1);
    else if (empty && (e.key === '+' || e.key === '=' || e.key === '-')) onStep(e.key === '-' ? -1 : 1);
    else if (e.key === 'Escape' && !empty) setCode('');
    else if (e.key === 'Escape') /** @type {HTMLElement | null} */ (document.querySelector('main h1'))?.focus({ preventScroll: true });
    else return;
    e.preventDefault();
  };
  return html`<div class="scan">
    <${Field} label=${t('packing.scan')} help=${t('packing.scanHelp')}>
      ${(/** @type {any} */ a) => html`<div class="search"><${Icon} name="scan-line" />
        <input ...${a} ref=${input} type="text" class="mono" value=${code} autocomplete="off" autocapitalize="characters" spellcheck=${false}
          enterkeyhint="done" onKeyDown=${keys} onInput=${(/** @type {any} */ e) => setCode(e.currentTarget.value)} /></div>`}
    <//>
    <p class=${`told ${told?.kind ?? 'none'}`} role="status" aria-live="assertive">
      ${told && html`<${Icon} name=${{ good: 'circle-check', bad: 'circle-alert', info: 'info' }[told.kind]} />${told.text}`}</p>
  </div>`;
}
