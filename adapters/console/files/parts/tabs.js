// Parts of a list, such as what waits for somebody: which one is shown is in the address.
import { html, useEffect, useLocation, useRef, useRoute } from '../vendor/ui.js';
import { filtersOf } from '../base/filters.js';
import { number } from '../base/format.js';
import { useShortcuts } from '../base/keys.js';
import { search, searched } from '../base/route.js';

/**
 * useTab is the tab that the address names, and how to show another one; '' until the address has one. The way in shows the first tab,
 * an address with filters or a search the last, which has everything.
 * @param {string[]} names
 * @returns {[string, (name: string) => void]}
 */
export function useTab(names) {
  // The page may be on its way to another list, whose tabs are not for this one to choose.
  const here = useLocation().path === useRoute().path;
  const last = useRef('');
  const asked = here ? (search().get('tab') ?? '') : last.current;
  const show = (/** @type {string} */ name) => {
    const next = search();
    next.set('tab', name);
    searched(next);
  };
  const tab = names.includes(asked) ? asked : '';
  last.current = tab;
  useEffect(() => {
    if (!here) return;
    const narrowed = search().has('q') || Object.keys(filtersOf(search())).length > 0;
    if (!tab) show(/** @type {string} */ (narrowed ? names.at(-1) : names[0]));
  }, [tab, here]);
  return [tab, show];
}

/**
 * Tabs are shown above a list; the keys 1 to 9 choose one.
 * @param {{ label: string, tabs: { name: string, label: string, count?: number | undefined }[], tab: string, onShow: (name: string) => void }} props
 */
export function Tabs({ label, tabs, tab, onShow }) {
  useShortcuts(tabs.map(({ name, label }, i) => ({ keys: String(i + 1), label, run: () => onShow(name) })));
  const bar = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => bar.current?.querySelector('[aria-pressed="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }), [tab]);
  return html`<div class="list-tabs scroll" ref=${bar}><div class="segments" role="group" aria-label=${label}>
    ${tabs.map(({ name, label, count }) => html`<button type="button" key=${name} aria-pressed=${name === tab} onClick=${() => onShow(name)}>
      ${label}${count ? html` <b class="tab-count">${number(count)}</b>` : ''}</button>`)}
  </div></div>`;
}
