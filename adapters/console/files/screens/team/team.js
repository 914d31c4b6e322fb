// The people of the shop.
import { html, useState } from '../../vendor/ui.js';
import { useShortcuts } from '../../base/keys.js';
import { href } from '../../base/route.js';
import { can, user } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { List } from '../../parts/list.js';
import { Badge, Empty, Page } from '../../parts/state.js';
import { InvitationLink, linkOf } from './invitation_link.js';
import { Invite } from './invite.js';
import { useRoles } from './role_names.js';
import { Tabs } from './tabs.js';

const columns = ['name', 'email', 'role', 'createdAt'];

export default function Team() {
  const [open, setOpen] = useState(false);
  const [unsent, setUnsent] = useState(/** @type {import('./invitation_link.js').Unsent | undefined} */ (undefined));
  const { nameOf } = useRoles();
  const may = can('users:create');
  useShortcuts(may ? [{ keys: 'a', label: t('team.invite'), run: () => setOpen(true) }] : []);
  const you = (/** @type {any} */ u) => u.id === user.value?.id && html` <${Badge} tone="info">${t('team.you')}<//>`;
  const name = (/** @type {any} */ u) => html`${u.name || u.email}${you(u)}`;
  const cells = { name: { cell: name, width: 'minmax(10rem, 1.2fr)' }, email: { width: 'minmax(12rem, 1.5fr)' },
    role: { cell: (/** @type {any} */ u) => nameOf(u.role) } };
  const card = (/** @type {any} */ u) => html`<span class="record-card"><b>${name(u)}</b><small>${nameOf(u.role)} · ${u.email}</small></span>`;
  const invite = may && html`<${Button} look="primary" icon="plus" keys="a" onClick=${() => setOpen(true)}>${t('team.invite')}<//>`;
  return html`<${Page} title=${t('team.title')} class="full" top=${invite}>
    <${Tabs} />
    <${List} slug="users" label=${t('team.members')} sort="email" link=${(/** @type {any} */ u) => href(`/team/${u.id}`)} columns=${columns} cells=${cells}
      card=${card}
      live=${['roles']} empty=${html`<${Empty} icon="users" title=${t('team.none')} text=${t('team.noneText')} action=${invite} />`} />
    ${open && html`<${Invite} onClose=${() => setOpen(false)} onUnsent=${(/** @type {string} */ email) => void linkOf(email).then(setUnsent)} />`}
    ${unsent && html`<${InvitationLink} unsent=${unsent} onClose=${() => setUnsent(undefined)} />`}
  <//>`;
}
