import { html, useState } from '../../vendor/ui.js';
import { refusalOf } from '../../base/refusal.js';
import { api } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { TextField } from '../../parts/field.js';
import { Notice } from '../../parts/state.js';

/** The answer is the same whether there is an account or not, so the page knows no more than the shop tells. */
export default function Forgot() {
  const [email, setEmail] = useState('');
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState(false);
  const [problem, setProblem] = useState('');
  document.title = `${t('entry.forgotTitle')} · Cartwright`;
  const send = async (/** @type {Event} */ e) => {
    e.preventDefault();
    setBusy(true);
    setProblem('');
    await api.ask('POST /api/users/forgot-password', { email }).then(() => setSent(true), (e) => setProblem(refusalOf(e).text));
    setBusy(false);
  };
  return html`<main class="login"><div class="login-box">
    <p class="brand">Cartwright</p>
    <h1>${t('entry.forgotTitle')}</h1>
    ${problem && html`<${Notice} kind="bad">${problem}<//>`}
    ${sent
      ? html`<${Notice} kind="good">${t('entry.sent')}<//>`
      : html`<p>${t('entry.forgotText')}</p><form onSubmit=${send}>
          <${TextField} label=${t('login.email')} type="email" autocomplete="username" value=${email} onInput=${setEmail} required autofocus />
          <${Button} look="primary" type="submit" busy=${busy}>${t('entry.send')}<//>
        </form>`}
    <p><a href="/console">${t('entry.toLogin')}</a></p>
  </div></main>`;
}
