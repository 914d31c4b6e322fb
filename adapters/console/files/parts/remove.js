// Deleting a record, which is asked before.
import { html } from '../vendor/ui.js';
import { useShortcuts } from '../base/keys.js';
import { t } from '../base/words.js';
import { Button } from './button.js';
import { confirm } from './dialog.js';
import { complain, tell } from './toast.js';

/**
 * @typedef {object} Removal
 * @property {{ remove: (id: string) => Promise<unknown> }} from the collection
 * @property {string} id
 * @property {string} title what is asked
 * @property {string} text what becomes of it
 * @property {string} [said] told when it is gone
 * @property {() => void} then what comes when it is gone
 */

/** remove deletes a record once that is confirmed. @param {Removal} removal */
export async function remove({ from, id, title, text, said, then }) {
  if (!(await confirm({ title, text, action: t('common.delete'), danger: true }))) return;
  await from.remove(id).then(() => {
    then();
    if (said) tell(said);
  }, complain);
}

/** Remove is the button for it. @param {Removal & { keys?: string }} props keys: its shortcut */
export function Remove({ keys, ...removal }) {
  const run = () => void remove(removal);
  useShortcuts(keys ? [{ keys, label: t('common.delete'), run }] : []);
  return html`<${Button} icon="trash" onClick=${run}>${t('common.delete')}<//>`;
}
