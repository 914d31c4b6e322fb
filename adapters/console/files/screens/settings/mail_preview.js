// How a mail will look, as the server makes it.
import { html, useEffect, useRef, useState } from '../../vendor/ui.js';
import { usePreview } from '../../base/preview.js';
import { api, can, user } from '../../base/shop.js';
import { collectionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { RelationField } from '../../parts/relation.js';
import { Card, Loading, Notice } from '../../parts/state.js';
import { complain, tell } from '../../parts/toast.js';

const views = /** @type {const} */ (['wide', 'phone', 'text']);

/** @param {{ kind: string, locale: string, subject: string, body: string, ofOrder: boolean }} props */
export function MailPreview({ kind, locale, subject, body, ofOrder }) {
  const [busy, setBusy] = useState(false);
  const [view, setView] = useState(/** @type {typeof views[number]} */ ('wide'));
  const [order, setOrder] = useState(/** @type {string | null} */ (null));
  const input = { kind, locale, subject, body, ...(order && { order }) };
  const { preview, refusal } = usePreview(subject.trim() && body.trim() ? JSON.stringify(input) : '', (signal) =>
    api.call('POST /api/mail-templates/preview', /** @type {any} */ (input), { signal }));
  const shown = useRef(preview);
  if (preview) shown.current = preview; // what was there before stays until the next one comes
  const mail = shown.current;
  const choices = html`<div class="segments" role="group" aria-label=${t('setup.mailPreview')}>${views.map((one) => html`<button type="button" key=${one}
    aria-pressed=${view === one} onClick=${() => setView(one)}>${t(`setup.mailView-${one}`)}</button>`)}</div>`;
  // What is typed need not be saved: whoever edits it sees the mail in their own mailbox first.
  const test = async () => {
    setBusy(true);
    const sent = api.call('POST /api/mail-templates/test', /** @type {any} */ (input));
    await sent.then(() => tell(t('setup.mailTested', { email: user.value?.email ?? '' })), complain);
    setBusy(false);
  };
  return html`<${Card} title=${t('setup.mailPreview')} class="mail-preview" top=${choices}>
    ${ofOrder && can('orders:read') && html`<${RelationField} label=${collectionLabel('orders', 'one')} help=${t('setup.mailOrder')} to="orders"
      value=${order} onInput=${setOrder} />`}
    ${refusal && html`<${Notice} kind="bad">${refusal.alone}<//>`}
    ${!mail && !refusal && html`<${Loading} lines=${8} />`}
    ${mail && html`<p><b>${mail.subject}</b></p>`}
    ${mail && (view === 'text' ? html`<pre class="mail-text" tabindex="0">${mail.text}</pre>`
      : html`<${Frame} document=${mail.html} phone=${view === 'phone'} />`)}
    ${order && mail && mail.madeUp.length > 0 && html`<p class="help">${t('setup.mailMadeUp', { names: mail.madeUp.join(', ') })}</p>`}
    ${mail && can('mail-templates:update') && html`<p>
      <${Button} icon="send" busy=${busy} disabled=${Boolean(refusal)} onClick=${test}>${t('setup.mailTest')}<//></p>`}
  <//>`;
}

/**
 * trusted lets the text of a mail be parsed where the policy of the page wants all markup to be vouched for: it goes into the frame below,
 * which runs no scripts, and nowhere else. Browsers that ask for nothing take the text as it is.
 * @type {(text: string) => string}
 */
const trusted = (text) => policy?.createHTML(text) ?? text;
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy('mail', { createHTML: (/** @type {string} */ text) => text });

/**
 * Frame shows the document of a mail. It runs no scripts: the frame is sandboxed, and nothing of the document is markup of this page. The
 * policy of the page allows no styles in markup, so those of the document are set one by one.
 * @param {{ document: string, phone: boolean }} props
 */
function Frame({ document: text, phone }) {
  const frame = useRef(/** @type {HTMLIFrameElement | null} */ (null));
  const show = () => {
    const view = /** @type {any} */ (frame.current?.contentWindow);
    if (!view) return;
    let rules = '';
    const inert = text.replaceAll(/ style=(?=")/g, ' data-style=').replace(/<style>([^<]*)<\/style>/, (_, css) => {
      rules = css;
      return '';
    });
    const parsed = new DOMParser().parseFromString(trusted(inert), 'text/html');
    view.document.replaceChild(view.document.importNode(parsed.documentElement, true), view.document.documentElement);
    for (const el of view.document.querySelectorAll('[data-style]')) el.style.cssText = el.dataset.style;
    for (const link of view.document.querySelectorAll('a')) link.removeAttribute('href');
    const sheet = new view.CSSStyleSheet();
    sheet.replaceSync(rules);
    view.document.adoptedStyleSheets = [sheet];
  };
  useEffect(show, [text]);
  return html`<iframe class=${`mail-frame ${phone ? 'phone' : ''}`} ref=${frame} sandbox="allow-same-origin" title=${t('setup.mailPreview')}
    onLoad=${show}></iframe>`;
}
