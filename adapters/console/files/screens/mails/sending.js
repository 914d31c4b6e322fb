import { html } from '../../vendor/ui.js';
import { useQuery } from '../../base/query.js';
import { api } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Notice } from '../../parts/state.js';

/** useStatus reads what becomes of the mails of the environment. */
export const useStatus = () => useQuery('mail status', (signal) => api.call('GET /api/mail/status', {}, { signal }));

/** Sending says whether mails of the environment leave the server. */
export function Sending() {
  const { data } = useStatus();
  if (!data) return null;
  if (data.down) return html`<${Notice} kind="warn">${t('mails.down')}<//>`;
  if (data.sends) return html`<p class="help">${t('mails.from', { from: data.from ?? '' })}</p>`;
  return html`<${Notice}>${data.page ? html`${t('mails.shown')} <a href=${data.page} target="_blank" rel="noopener">${data.page}</a>` : t('mails.off')}<//>`;
}
