import { html, useLocation } from '../../vendor/ui.js';
import { go } from '../../base/route.js';
import { api } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Notice } from '../../parts/state.js';
import { Entrance } from '../login/login.js';
import { NewPassword } from './new_password.js';

export default function Reset() {
  return html`<${Entrance} title=${t('entry.resetTitle')} first=${Choose} onEntered=${() => go('/', { replace: true })} />`;
}

/** @param {{ attempt: import('../login/login.js').Attempt, busy: string }} props */
function Choose({ attempt, busy }) {
  const { token = '' } = useLocation().query;
  const onChosen = (/** @type {string} */ password) => void attempt('reset', () => api.ask('POST /api/users/reset-password', { token, password }));
  return html`${token ? html`<${NewPassword} text=${t('entry.resetText')} action=${t('entry.set')} busy=${busy !== ''} onChosen=${onChosen} />`
    : html`<${Notice} kind="warn">${t('entry.noToken')}<//>`}
    <p><a href="/console/forgot">${t('login.forgot')}</a></p>`;
}
