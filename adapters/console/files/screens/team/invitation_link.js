// The link of an invitation that no mail brings, to pass it on by hand.
import { html } from '../../vendor/ui.js';
import { api } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { Copied } from '../../parts/copy.js';
import { Dialog } from '../../parts/dialog.js';
import { complain, warn } from '../../parts/toast.js';

/** @typedef {{ email: string, link: string }} Unsent */

/**
 * linkOf reads the link of the open invitation to an address; undefined where it is not shown, which is
 * told.
 * @param {string} email the shop keeps addresses in lower case
 * @returns {Promise<Unsent | undefined>}
 */
export async function linkOf(email) {
  try {
    const { docs } = await api.collections.from('user-invitations').find({
      where: { and: [{ email: { equals: email.toLowerCase() } }, { acceptedAt: { exists: false } }, { revokedAt: { exists: false } }] }, limit: 1,
      sort: '-createdAt', depth: 0,
    });
    if (!docs[0]) {
      warn(t('team.linkNone'));
      return undefined;
    }
    const { link } = await api.call('POST /api/user-invitations/{id}/link', { id: docs[0].id });
    return { email, link };
  } catch (e) {
    complain(e);
    return undefined;
  }
}

/** InvitationLink shows it. @param {{ unsent: Unsent, onClose: () => void }} props */
export function InvitationLink({ unsent, onClose }) {
  const actions = html`<${Button} look="primary" onClick=${onClose}>${t('common.close')}<//>`;
  return html`<${Dialog} title=${t('team.link')} onClose=${onClose} actions=${actions}><div class="stack">
    <p>${t('team.linkText', { email: unsent.email })}</p><${Copied} text=${unsent.link} label=${t('team.link')} /></div><//>`;
}
