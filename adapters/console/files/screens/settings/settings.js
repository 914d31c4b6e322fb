// The shop on one page: who it is, how it works, where it sells, what delivery costs, how it is paid.
import { html } from '../../vendor/ui.js';
import { useShortcuts } from '../../base/keys.js';
import { can, shop, user } from '../../base/shop.js';
import { collectionLabel, t } from '../../base/words.js';
import { Empty, Page } from '../../parts/state.js';
import { Mails } from './mails.js';
import { Markets } from './markets.js';
import { Payments } from './payments.js';
import { Profile } from './profile.js';
import { ShopSettings } from './shop_settings.js';
import { Shipping } from './shipping.js';
import { Tenants } from './tenants.js';

export default function Settings() {
  const sections = [
    { id: 'profile', label: t('setup.profile'), needs: 'shop-profiles:read', show: Profile },
    { id: 'shop', label: t('setup.shop'), needs: 'tenants:read', show: ShopSettings },
    { id: 'markets', label: collectionLabel('markets'), needs: 'markets:read', show: Markets },
    { id: 'shipping', label: t('setup.shipping'), needs: 'shipping-policies:read', show: Shipping },
    { id: 'mails', label: t('setup.mails'), needs: 'mail-templates:read', show: Mails },
    { id: 'payments', label: t('setup.payments'), needs: 'provider-connections:read', show: Payments },
    // Suspending, exporting and deleting is the platform's: no shop stops itself.
    ...(user.value?.role === 'platform-admin' ? [{ id: 'shops', label: t('setup.shops'), needs: 'tenants:read', show: Tenants }] : []),
  ].filter(({ needs }) => can(needs));
  useShortcuts(sections.map(({ id, label }, i) => ({ keys: String(i + 1), label: t('setup.to', { what: label }), run: () => jump(id) })));
  if (!shop.value || sections.length === 0) return html`<${Page} title=${t('setup.title')}><${Empty} icon="lock" title=${t('common.notYours')} /><//>`;
  return html`<${Page} title=${t('setup.title')}>
    <div class="settings">
      <nav aria-label=${t('setup.sections')}><ul>${sections.map(({ id, label }) => html`<li key=${id}><a href=${`#${id}`}
        onClick=${(/** @type {Event} */ e) => {
        e.preventDefault();
        jump(id);
      }}>${label}</a></li>`)}</ul></nav>
      <div class="settings-body">
        ${sections.map(({ id, label, show }) => html`<section key=${id} id=${id} tabindex="-1" aria-label=${label}><${show} title=${label} /></section>`)}
      </div>
    </div>
  <//>`;
}

/** jump shows a section, and goes on from there by keyboard. @param {string} id */
function jump(id) {
  const section = document.getElementById(id);
  section?.scrollIntoView({ block: 'start' });
  section?.focus({ preventScroll: true });
}
