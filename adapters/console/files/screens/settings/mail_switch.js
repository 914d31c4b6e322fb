// Whether mails of a kind are sent, and the way to change it.
import { html } from '../../vendor/ui.js';
import { can, writer } from '../../base/shop.js';
import { optionLabel, t } from '../../base/words.js';
import { useAttempt } from '../../parts/acts.js';
import { Button } from '../../parts/button.js';
import { Badge } from '../../parts/state.js';

/** @typedef {import('../../vendor/sdk.js').Schemas['ShopProfile']} Profile */

/**
 * MailSwitch says it of a kind, and switches it in the shop's profile.
 * @param {{ kind: string, profile?: Profile | undefined, onChanged: () => void }} props profile: undefined for none, and for who may not read it
 */
export function MailSwitch({ kind, profile, onChanged }) {
  const [busy, attempt] = useAttempt(onChanged);
  const all = /** @type {string[]} */ (profile?.mailsOff ?? []);
  const off = all.includes(kind);
  const turn = () => attempt(() => {
    const mailsOff = off ? all.filter((one) => one !== kind) : [...all, kind];
    return writer('shop-profiles').update(/** @type {Profile} */ (profile).id, { mailsOff, expectedRevision: profile?.revision });
  });
  const label = `${t(off ? 'setup.mailTurnOn' : 'setup.mailTurnOff')}: ${optionLabel('mail-templates', 'kind', kind)}`;
  return html`<${Badge} tone=${off ? 'warn' : 'good'}>${t(off ? 'setup.mailOff' : 'setup.mailOn')}<//>
    ${profile && can('shop-profiles:update') && html` <${Button} look="quiet" busy=${busy} onClick=${turn}
      aria-label=${label}>${t(off ? 'setup.mailTurnOn' : 'setup.mailTurnOff')}<//>`}`;
}
