// What is shown once and never again: a key, recovery codes.
import { html, useState } from '../vendor/ui.js';
import { save } from '../base/save.js';
import { t } from '../base/words.js';
import { Button } from './button.js';
import { Dialog } from './dialog.js';
import { Notice } from './state.js';
import { complain } from './toast.js';

/** Copy takes a text to the clipboard, and says so where it stands. @param {{ text: string, look?: 'plain' | 'primary' | 'quiet' }} props */
export function Copy({ text, look = 'plain' }) {
  const [done, setDone] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(text).then(() => {
      setDone(true);
      setTimeout(() => setDone(false), 2000);
    }, complain);
  return html`<${Button} look=${look} icon=${done ? 'check' : 'copy'} onClick=${copy}><span aria-live="polite">
    ${t(done ? 'common.copied' : 'common.copy')}</span><//>`;
}

/**
 * Once shows a secret for the only time. Nothing but its button closes it: a click beside it would lose what cannot be had again.
 * @param {{ title: string, text: string, secret: string, filename?: string, onClose: () => void }} props filename: of what can be kept as a file
 */
export function Once({ title, text, secret, filename, onClose }) {
  const keep = () => save(new Blob([`${secret}\n`], { type: 'text/plain' }), filename ?? '');
  const actions = html`${filename && html`<${Button} icon="download" onClick=${keep}>${t('common.keep')}<//>`}
    <${Copy} text=${secret} /><${Button} look="primary" onClick=${onClose}>${t('common.kept')}<//>`;
  return html`<${Dialog} title=${title} busy onClose=${onClose} actions=${actions}>
    <div class="stack"><${Notice} kind="warn">${text}<//><pre class="once" tabindex="0">${secret}</pre></div>
  <//>`;
}
