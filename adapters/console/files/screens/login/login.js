// The way in: a password and, where the account or the shop asks for it, a second proof; or a passkey alone.
import { html, useState } from '../../vendor/ui.js';
import { refusalOf } from '../../base/refusal.js';
import { api, enter } from '../../base/shop.js';
import { language, speak, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { PasswordField, TextField } from '../../parts/field.js';
import { Notice } from '../../parts/state.js';
import { passkeysWork, prove } from './passkey.js';

/** @typedef {{ challenge: string, methods: string[] }} Second */

export function Login() {
  return html`<${Entrance} title=${t('login.title')} first=${Password} />`;
}

/**
 * Entrance is a way in: the first step is made by what is given, and a second proof follows where one is asked for.
 * @param {{ title: string, first: any, onEntered?: () => void }} props first: a component that gets attempt and busy
 */
export function Entrance({ title, first, onEntered }) {
  const [second, setSecond] = useState(/** @type {Second | null} */ (null));
  const [busy, setBusy] = useState('');
  const [problem, setProblem] = useState('');
  document.title = `${title} · Cartwright`;

  /** attempt does one step; what it answers says whether another one follows. @param {string} name @param {() => Promise<any>} step */
  const attempt = async (name, step) => {
    setBusy(name);
    setProblem('');
    try {
      const answer = await step();
      if (answer?.secondFactorRequired) setSecond({ challenge: answer.challenge, methods: answer.methods ?? [] });
      else if (answer) {
        await enter();
        onEntered?.();
      }
    } catch (e) {
      const { alone, reason } = refusalOf(e);
      if (reason === 'challenge_invalid') setSecond(null);
      setProblem(alone);
    }
    setBusy('');
  };
  const other = language.value === 'ko' ? 'en' : 'ko';
  return html`<main class="login">
    <div class="login-box">
      <p class="brand">Cartwright</p>
      <h1>${second ? t('login.second') : title}</h1>
      ${problem && html`<${Notice} kind="bad">${problem}<//>`}
      ${second ? html`<${SecondFactor} ...${{ second, attempt, busy }} onBack=${() => setSecond(null)} />` : html`<${first} ...${{ attempt, busy }} />`}
    </div>
    <${Button} look="quiet" icon="globe" onClick=${() => void speak(other)}>${other === 'ko' ? '한국어' : 'English'}<//>
  </main>`;
}

/** @typedef {(name: string, step: () => Promise<any>) => Promise<void>} Attempt */

/** @param {{ attempt: Attempt, busy: string }} props */
function Password({ attempt, busy }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const submit = (/** @type {Event} */ e) => {
    e.preventDefault();
    void attempt('password', () => api.ask('POST /api/users/login', { email, password }));
  };
  const passkey = () =>
    attempt('passkey', async () => {
      const { options, challenge } = await api.ask('POST /api/users/login/passkey/begin');
      const credential = await prove(options);
      return credential && api.ask('POST /api/users/login/passkey', { challenge, credential });
    });
  return html`<form onSubmit=${submit}>
      <${TextField} label=${t('login.email')} type="email" autocomplete="username webauthn" value=${email} onInput=${setEmail} required autofocus />
      <${PasswordField} label=${t('login.password')} autocomplete="current-password" value=${password} onInput=${setPassword} required />
      <${Button} look="primary" type="submit" busy=${busy === 'password'}>${t('login.enter')}<//>
    </form>
    ${passkeysWork() && html`<div class="or"><span>${t('login.or')}</span></div>
      <${Button} icon="key" busy=${busy === 'passkey'} onClick=${passkey}>${t('login.passkey')}<//>`}
    <p><a href="/console/forgot">${t('login.forgot')}</a></p>`;
}

/** @param {{ second: Second, attempt: Attempt, busy: string, onBack: () => void }} props */
function SecondFactor({ second: { challenge, methods }, attempt, busy, onBack }) {
  const [code, setCode] = useState('');
  const submit = (/** @type {Event} */ e) => {
    e.preventDefault();
    void attempt('code', () => api.ask('POST /api/users/login/second-factor', { challenge, code: code.replace(/\s/g, '') }));
  };
  const passkey = () =>
    attempt('passkey', async () => {
      const { options } = await api.ask('POST /api/users/login/passkey-options', { challenge });
      const credential = await prove(options);
      return credential && api.ask('POST /api/users/login/second-factor', { challenge, credential });
    });
  const byCode = methods.includes('totp') || methods.includes('recovery-code');
  return html`${byCode &&
    html`<form onSubmit=${submit}>
      <${TextField} label=${t('login.code')} help=${t('login.codeHelp')} autocomplete="one-time-code" value=${code} onInput=${setCode} required autofocus mono />
      <${Button} look="primary" type="submit" busy=${busy === 'code'}>${t('login.enter')}<//>
    </form>`}
    ${methods.includes('passkey') && passkeysWork() && html`<${Button} icon="key" busy=${busy === 'passkey'} onClick=${passkey}>${t('login.passkey')}<//>`}
    <${Button} look="quiet" icon="arrow-left" onClick=${onBack}>${t('login.back')}<//>`;
}
