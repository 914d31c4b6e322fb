import { html, useLocation } from '../../vendor/ui.js';
import { href } from '../../base/route.js';
import { can } from '../../base/shop.js';
import { collectionLabel, t } from '../../base/words.js';

/** Tabs leads between the screens about the people of the shop. */
export function Tabs() {
  const { path } = useLocation();
  const all = [
    { to: '/team', label: t('team.members'), needs: 'users:read' },
    { to: '/team/invitations', label: collectionLabel('user-invitations'), needs: 'user-invitations:read' },
    { to: '/team/roles', label: collectionLabel('roles'), needs: 'roles:read' },
  ];
  return html`<nav class="tab-links" aria-label=${t('team.title')}>
    ${all.filter(({ needs }) => can(needs)).map(({ to, label }) => html`<a key=${to} href=${href(to)} aria-current=${path === href(to) ? 'page' : undefined}>
      ${label}</a>`)}
  </nav>`;
}
