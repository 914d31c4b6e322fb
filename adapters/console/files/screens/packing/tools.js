import { html } from '../../vendor/ui.js';
import { useShortcuts } from '../../base/keys.js';
import { api } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { showFile } from '../../parts/file.js';

/**
 * PackTools prints what is yet to be packed.
 * @param {{ work: import('./work.js').Work, left: number }} props
 */
export function PackTools({ work: { id, type }, left }) {
  const may = type === 'shipping' && left > 0;
  const print = () => void showFile(api.file('GET /api/fulfillment-orders/{id}/packing-slip', { id }));
  useShortcuts(may ? [{ keys: 'mod+p', label: t('packing.slip'), everywhere: true, run: print }] : []);
  return may && html`<${Button} icon="printer" keys="mod+p" onClick=${print}>${t('packing.slip')}<//>`;
}
