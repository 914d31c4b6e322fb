// ⌘K: go anywhere, find anything, do what the screen offers.
import { html, useEffect, useId, useRef, useState } from '../vendor/ui.js';
import { shortcuts } from '../base/keys.js';
import { go, screenOf } from '../base/route.js';
import { api } from '../base/shop.js';
import { collectionLabel, optionLabel, t } from '../base/words.js';
import { Icon } from '../parts/icon.js';
import { Keys } from '../parts/button.js';
import { complain } from '../parts/toast.js';
import { leaving } from './leaving.js';
import { places } from './nav.js';

/** @typedef {{ id: string, group: string, label: string, sub?: string, icon: string, keys?: string, run: () => void }} Choice */

/** @param {{ onClose: () => void }} props */
export function Palette({ onClose }) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const [found, setFound] = useState({ of: '', choices: /** @type {Choice[]} */ ([]) });
  const ref = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    ref.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  useEffect(() => {
    if (text.trim().length < 2) return undefined;
    const stop = new AbortController();
    const timer = setTimeout(() => search(text, stop.signal).then((choices) => setFound({ of: text, choices }), (e) => stop.signal.aborted || complain(e)), 120);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text]);
  const choices = [...commands(text), ...(found.of === text ? found.choices : [])]; // those of another text are not what Enter means
  const choose = (/** @type {Choice | undefined} */ choice) => {
    if (!choice) return;
    onClose();
    choice.run();
  };
  const keys = (/** @type {KeyboardEvent} */ e) => {
    if (e.isComposing) return;
    const move = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (move) setAt((i) => (i + move + choices.length) % Math.max(1, choices.length));
    else if (e.key === 'Enter') choose(choices[at]);
    else return;
    e.preventDefault();
  };
  useEffect(() => document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' }), [at]);
  const outside = (/** @type {MouseEvent} */ e) => {
    if (e.target === ref.current) onClose();
  };
  return html`<dialog ref=${ref} class="dialog palette" aria-label=${t('shell.palette')} onCancel=${onClose} onMouseDown=${outside}>
    <div class="dialog-frame">
      <div class="search"><${Icon} name="search" /><input type="text" role="combobox" aria-expanded="true" aria-controls=${id} aria-autocomplete="list"
        aria-activedescendant=${choices.length ? `${id}-${at}` : undefined} aria-label=${t('shell.find')} placeholder=${t('shell.findWhat')} value=${text} onKeyDown=${keys}
        onInput=${(/** @type {any} */ e) => {
          setText(e.currentTarget.value);
          setAt(0);
        }} /></div>
      <div class="choices" role="listbox" id=${id} aria-label=${t('shell.choices')}>
        ${choices.map((c, i) => html`${c.group !== choices[i - 1]?.group && html`<h3 role="presentation">${c.group}</h3>`}
          <div role="option" id=${`${id}-${i}`} key=${c.id} aria-selected=${i === at} onMouseMove=${() => setAt(i)} onClick=${() => choose(c)}>
            <${Icon} name=${c.icon} /><span>${c.label}</span>${c.sub && html`<small>${c.sub}</small>`}${c.keys && html`<${Keys} keys=${c.keys} />`}</div>`)}
        ${choices.length === 0 && html`<p class="none">${t('list.nothingFound')}</p>`}
      </div>
    </div>
  </dialog>`;
}

/** commands is where to go and what to do, by a part of its name. @param {string} text @returns {Choice[]} */
function commands(text) {
  const wanted = text.trim().toLowerCase();
  const fits = (/** @type {string} */ label) => label.toLowerCase().includes(wanted);
  const own = shortcuts.value.slice(1).flat().filter((s) => fits(s.label));
  const doing = own.map((s, i) => ({ id: `do${i}`, group: t('shell.actions'), label: s.label, icon: 'command', keys: s.keys, run: s.run }));
  const to = places().flatMap((g) => g.places).filter((p) => fits(p.label));
  const going = to.map((p) => ({ id: p.screen, group: t('shell.places'), label: p.label, icon: p.icon, ...(p.keys && { keys: p.keys }), run: () => leaving(() => go(p.screen)) }));
  return [...doing, ...going].slice(0, wanted ? 8 : 40);
}

/** Icons of what is found. @type {Record<string, string>} */
const icons = { orders: 'shopping-cart', customers: 'user', products: 'tag', 'draft-orders': 'file-text', 'return-requests': 'undo-2' };

/**
 * @param {string} text
 * @param {AbortSignal} signal
 * @returns {Promise<Choice[]>}
 */
async function search(text, signal) {
  const { groups } = await api.call('GET /api/search', { q: text, limit: 5 }, { signal });
  return groups.flatMap(({ collection, docs }) =>
    docs.map((hit) => ({
      id: hit.id, group: collectionLabel(collection), label: hit.title, icon: icons[collection] ?? 'file-text',
      sub: [hit.subtitle, hit.status && optionLabel(collection, 'status', hit.status)].filter(Boolean).join(' · '),
      run: () => leaving(() => go(screenOf(collection, hit.id))),
    })),
  );
}
