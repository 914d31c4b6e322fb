import { html, useEffect, useLocation, useState } from '../../vendor/ui.js';
import { time } from '../../base/format.js';
import { remember } from '../../base/memory.js';
import { refusalOf } from '../../base/refusal.js';
import { go } from '../../base/route.js';
import { api, leave, user } from '../../base/shop.js';
import { look, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { Loading, Notice } from '../../parts/state.js';
import { complain } from '../../parts/toast.js';
import { Entrance } from '../login/login.js';
import { NewPassword } from './new_password.js';

export default function Invitation() {
  return html`<${Entrance} title=${t('entry.invitation')} first=${Invited} onEntered=${() => go('/', { replace: true })} />`;
}

/** @typedef {import('../../vendor/sdk.js').OperatorAnswer<'GET /api/invitations/{token}'>} Facts */

/**
 * Invited says who invites whom as what; who is signed in as that person accepts with a click.
 * @param {{ attempt: import('../login/login.js').Attempt, busy: string }} props
 */
function Invited({ attempt, busy }) {
  const { token = '' } = useLocation().query;
  const [facts, setFacts] = useState(/** @type {Facts | null} */ (null));
  const [problem, setProblem] = useState(token ? '' : t('entry.noToken'));
  useEffect(() => {
    if (token) api.call('GET /api/invitations/{token}', { token }).then(setFacts, (e) => setProblem(refusalOf(e).text));
  }, [token]);
  if (problem) return html`<${Notice} kind="bad">${problem}<//><p><a href="/console">${t('entry.toLogin')}</a></p>`;
  if (!facts) return html`<${Loading} />`;
  const { email, expiresAt, role, tenantId, tenantName } = facts;
  const accept = (/** @type {string | undefined} */ password) =>
    void attempt('accept', async () => {
      const answer = await api.call('POST /api/invitations/{token}/accept', { token, ...(password !== undefined && { password }) });
      // From here on the person works in the shop that they joined.
      remember('shop', tenantId);
      return answer;
    });
  const words = { shop: tenantName, email, role: look('roles', role) ?? role, end: time(expiresAt) };
  return html`<p>${t('entry.invitationText', words)}</p>
    ${user.value
      ? html`<${Button} look="primary" busy=${busy !== ''} onClick=${() => accept(undefined)}>${t('entry.acceptAs', { email: user.value.email })}<//>
        <${Button} look="quiet" icon="log-out" onClick=${() => void leave().catch(complain)}>${t('shell.signOut')}<//>`
      : html`<${NewPassword} text=${t('entry.choose')} action=${t('entry.accept')} busy=${busy !== ''} onChosen=${accept} email=${email} />
          <p class="help">${t('entry.signInFirst')} <a href="/console">${t('entry.toLogin')}</a></p>`}`;
}
