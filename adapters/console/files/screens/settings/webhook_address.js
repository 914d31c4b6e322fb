import { html } from '../../vendor/ui.js';
import { t } from '../../base/words.js';
import { Copy } from '../../parts/once.js';
import { Card } from '../../parts/state.js';

/** WebhookAddress is where the provider tells the shop what happened to payments. @param {{ id: string, signs: boolean }} props */
export function WebhookAddress({ id, signs }) {
  const address = `${location.origin}/api/providers/${id}/webhook`;
  return html`<${Card} title=${t('setup.webhook')}>
    <p class="help">${t('setup.webhookText')} ${signs && t('setup.webhookSigned')}</p>
    <div class="secret-row"><code>${address}</code><${Copy} text=${address} /></div>
  <//>`;
}
