// All roles: those of the shop's own, and those that every shop has.
import { html } from '../../vendor/ui.js';
import { useShortcuts } from '../../base/keys.js';
import { go, href } from '../../base/route.js';
import { can } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { Card, Empty, Loading, Page } from '../../parts/state.js';
import { builtIn, useRoles } from './role_names.js';
import { Tabs } from './tabs.js';

export default function Roles() {
  const { own, ready, nameOf } = useRoles();
  const may = can('roles:create');
  useShortcuts(may ? [{ keys: 'a', label: t('team.roleNew'), run: () => go('/team/roles/new') }] : []);
  if (!can('roles:read')) return html`<${Page} title=${t('team.title')}><${Empty} icon="lock" title=${t('common.notYours')} /><//>`;
  const add = may && html`<${Button} look="primary" icon="plus" href=${href('/team/roles/new')}>${t('team.roleNew')}<//>`;
  const row = (/** @type {string} */ at, /** @type {string} */ name, /** @type {any} */ text) => html`<li key=${at}><a class="row-plain"
    href=${href(`/team/roles/${at}`)}>
    <b>${name}</b><small>${text}</small></a><${Icon} name="chevron-right" /></li>`;
  return html`<${Page} title=${t('team.title')} top=${add}>
    <${Tabs} />
    <${Card} title=${t('team.ownRoles')}>
      ${!ready && html`<${Loading} />`}
      ${ready && own.length === 0 && html`<${Empty} icon="shield" title=${t('team.noRoles')} text=${t('team.noRolesText')} action=${add} />`}
      <ul class="rows-plain">${own.map((r) =>
        row(r.id, r.name, [r.description, t('team.rights', { n: r.permissions.length })].filter(Boolean).join(' · ')))}</ul>
    <//>
    <${Card} title=${t('team.builtIn')}>
      <ul class="rows-plain">${builtIn.map((slug) => row(slug, nameOf(slug), t(`team.is-${slug}`)))}</ul>
    <//>
  <//>`;
}
