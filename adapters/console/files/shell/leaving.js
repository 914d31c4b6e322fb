// The way from a form whose texts are kept nowhere: who takes it is asked first.
import { follow, unsent } from '../base/route.js';
import { t } from '../base/words.js';
import { confirm } from '../parts/dialog.js';

/** leaving goes on unless somebody wants to stay. @param {() => void} run */
export async function leaving(run) {
  const asked = { title: t('shell.leave'), text: t('shell.leaveText'), action: t('common.discard'), danger: true };
  if (!unsent.value || (await confirm(asked))) run();
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
