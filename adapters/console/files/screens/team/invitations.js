// Who was asked to join, and has not answered yet.
import { html, useState } from '../../vendor/ui.js';
import { useShortcuts } from '../../base/keys.js';
import { useQuery } from '../../base/query.js';
import { api, can, writer } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { confirm } from '../../parts/dialog.js';
import { Badge, Card, Empty, Loading, Page, Refused } from '../../parts/state.js';
import { complain, tell } from '../../parts/toast.js';
import { Time } from '../../parts/value.js';
import { InvitationLink, linkOf } from './invitation_link.js';
import { Invite } from './invite.js';
import { useRoles } from './role_names.js';
import { Tabs } from './tabs.js';

/** @typedef {import('../../vendor/sdk.js').Schemas['UserInvitation']} Invited */

export default function Invitations() {
  const [open, setOpen] = useState(false);
  const [unsent, setUnsent] = useState(/** @type {import('./invitation_link.js').Unsent | undefined} */ (undefined));
  const pass = (/** @type {string} */ email) => void linkOf(email).then(setUnsent);
  const { nameOf } = useRoles();
  const read = (/** @type {AbortSignal} */ signal) =>
    api.collections.from('user-invitations').find({ where: { and: [{ acceptedAt: { exists: false } }, { revokedAt: { exists: false } }] },
      limit: 200, sort: '-createdAt' }, { signal });
  const { data, refusal, reload } = useQuery('invitations', read, { live: ['user-invitations', 'users'] });
  const may = can('users:create');
  useShortcuts(may ? [{ keys: 'a', label: t('team.invite'), run: () => setOpen(true) }] : []);
  const invite = may && html`<${Button} look="primary" icon="plus" keys="a" onClick=${() => setOpen(true)}>${t('team.invite')}<//>`;
  return html`<${Page} title=${t('team.title')} top=${invite}>
    <${Tabs} />
    <${Card}>
      ${refusal ? html`<${Refused} refusal=${refusal} again=${reload} />` : !data && html`<${Loading} />`}
      ${data?.docs.length === 0 && html`<${Empty} icon="mail" title=${t('team.noInvitations')} text=${t('team.noInvitationsText')} />`}
      <ul class="rows-plain">${data?.docs.map((one) => html`<${Row} key=${one.id} one=${one} role=${nameOf(one.role)} onDone=${reload} onUnsent=${pass} />`)}</ul>
    <//>
    ${open && html`<${Invite} onClose=${() => setOpen(false)} onUnsent=${pass} />`}
    ${unsent && html`<${InvitationLink} unsent=${unsent} onClose=${() => setUnsent(undefined)} />`}
  <//>`;
}

/** @param {{ one: Invited, role: string, onDone: () => void, onUnsent: (email: string) => void }} props */
function Row({ one: { id, email, role: slug, name, firstName, lastName, expiresAt }, role, onDone, onUnsent }) {
  const [busy, setBusy] = useState('');
  const over = Date.parse(expiresAt ?? '') < Date.now();
  const run = async (/** @type {string} */ what, /** @type {() => Promise<unknown>} */ step) => {
    setBusy(what);
    await step().catch(complain);
    onDone();
    setBusy('');
  };
  // A new invitation replaces the one before.
  const again = () => run('again', async () => {
    const { mailed } = await writer('users').create({ email, role: slug, name, firstName, lastName });
    tell(t(mailed ? 'team.saidAgain' : 'team.invitedUnsent', { email }));
    if (!mailed) onUnsent(email ?? '');
  });
  const revoke = async () => {
    if (!(await confirm({ title: t('team.revoke'), text: t('team.revokeText', { email }), action: t('team.revoke'), danger: true }))) return;
    await run('revoked', () => writer('user-invitations').remove(id).then(() => tell(t('team.saidRevoked', { email }))));
  };
  return html`<li>
    <div><b>${email}</b> ${over && html`<${Badge} tone="over">${t('team.over')}<//>`}
      <small>${role} · ${t(over ? 'team.ended' : 'team.ends')} <${Time} at=${expiresAt} relative /></small></div>
    ${can('users:create') && html`<div class="actions">
      <${Button} busy=${busy === 'again'} onClick=${again} aria-label=${t('team.againNamed', { email })}>${t('team.again')}<//>
      <${Button} busy=${busy === 'revoked'} onClick=${revoke} aria-label=${t('team.revokeNamed', { email })}>${t('team.revoke')}<//>
    </div>`}
  </li>`;
}
