// The bell: how much the user has not seen of what they were told, and the way to it.
import { html, useEffect, useState } from '../vendor/ui.js';
import { number } from '../base/format.js';
import { useQuery } from '../base/query.js';
import { api, can, user } from '../base/shop.js';
import { t, words } from '../base/words.js';
import { Button } from '../parts/button.js';
import { complain } from '../parts/toast.js';

/**
 * Bell opens the inbox, which is read when it is first opened.
 * @param {{ open: boolean, onOpen: () => void, onClose: () => void }} props
 */
export function Bell({ open, onOpen, onClose }) {
  const [panel, setPanel] = useState(/** @type {{ default: any } | null} */ (null));
  const may = can('notifications:read');
  const mine = { recipient: { equals: user.value?.id }, seen: { equals: false } };
  const read = (/** @type {AbortSignal} */ signal) => /** @type {any} */ (api.collections.from('notifications')).count({ where: mine }, { signal });
  const { data } = useQuery(may ? `unseen ${user.value?.id}` : '', read, { live: ['notifications'] });
  useEffect(() => {
    if (!open || panel) return;
    Promise.all([import('../screens/inbox/inbox.js'), words('inbox')]).then(([module]) => setPanel(module), complain);
  }, [open]);
  if (!may) return null;
  const n = data?.totalDocs ?? 0;
  const label = n > 0 ? t('shell.inboxUnseen', { n }) : t('shell.inbox');
  return html`<span class="bell"><${Button} look="quiet" icon="bell" label=${label} aria-haspopup="dialog" onClick=${onOpen} />
    ${n > 0 && html`<span class="bell-count" aria-hidden="true">${n > 99 ? '99+' : number(n)}</span>`}</span>
    ${open && panel && html`<${panel.default} onClose=${onClose} />`}`;
}
