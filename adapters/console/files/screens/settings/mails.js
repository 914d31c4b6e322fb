// What mails say: how it is read, and the way to it from the settings.
import { html } from '../../vendor/ui.js';
import { useQuery } from '../../base/query.js';
import { href } from '../../base/route.js';
import { api, can } from '../../base/shop.js';
import { locale, t } from '../../base/words.js';
import { Card } from '../../parts/state.js';

/** @typedef {import('../../vendor/sdk.js').Schemas['MailTemplate']} Template */

/** How many templates are read: more than any shop has. */
const most = 500;

/** useMails reads what mails can tell, and what the shop has them say. */
export function useMails() {
  const read = async (/** @type {AbortSignal} */ signal) => {
    const [{ kinds }, { docs }, profiles] = await Promise.all([
      api.call('GET /api/mail-templates/kinds', {}, { signal }),
      api.collections.from('mail-templates').find({ limit: most, sort: 'locale', depth: 0 }, { signal }),
      can('shop-profiles:read') ? api.collections.from('shop-profiles').find({ limit: 1, depth: 0 }, { signal }) : undefined,
    ]);
    return { kinds, templates: docs, profile: profiles?.docs[0] };
  };
  return useQuery(`mails ${locale.value}`, read, { live: ['mail-templates', 'shop-profiles'] });
}

/** Mails leads to what mails say. @param {{ title: string }} props */
export function Mails({ title }) {
  return html`<${Card} title=${title}>
    <p class="help">${t('setup.mailsText')}</p>
    <p><a class="button" href=${href('/settings/mails')}>${t('setup.mailsAll')}</a></p>
  <//>`;
}
