// The way from a form whose texts are kept nowhere: who takes it is asked first.
import { work } from '../base/memory.js';
import { follow, place, unsent } from '../base/route.js';
import { t } from '../base/words.js';
import { confirm } from '../parts/dialog.js';

/** leaving goes on unless somebody wants to stay. @param {() => void} run @param {boolean} [out] what is kept over a reload goes, too */
export async function leaving(run, out = false) {
  const asked = { title: t('shell.leave'), text: t('shell.leaveText'), action: t('common.discard'), danger: true };
  if (!(unsent.value || (out && work().length)) || (await confirm(asked))) run();
}

/** linked is leaving for a link that was clicked in the page. @param {MouseEvent} e */
export function linked(e) {
  const link = e.target instanceof Element ? e.target.closest('a[href]') : null;
  const to = link?.getAttribute('href') ?? '';
  if (!unsent.value || !to.startsWith('/') || link?.getAttribute('target') || e.ctrlKey || e.metaKey || e.shiftKey) return;
  e.preventDefault();
  e.stopPropagation();
  void leaving(() => follow(to));
}

/** Whether somebody who was asked goes on. */
let goes = false;

/**
 * returned is leaving by the browser's ways back and forth. The browser is at the other entry already: an entry of this page comes after
 * it, from which the way back leads there. @param {PopStateEvent} e
 */
function returned(e) {
  if (!unsent.value || goes) {
    goes = false;
    return;
  }
  e.stopImmediatePropagation();
  history.pushState(null, '', place());
  void leaving(() => {
    goes = true;
    history.back();
  });
}

// Before the router hears of it.
addEventListener('popstate', returned, true);
