import { html } from '../../vendor/ui.js';
import { bytes } from '../../base/format.js';
import { t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { Card } from '../../parts/state.js';
import { again, clear, uploads } from './uploads.js';

const icons = { waiting: 'clock', sending: 'loader-circle', done: 'circle-check', refused: 'circle-alert' };

/** Uploads is what is on its way, and what became of it, file by file. */
export function Uploads() {
  const all = uploads.value;
  if (all.length === 0) return null;
  const done = all.filter((u) => u.state === 'done').length;
  const refused = all.filter((u) => u.state === 'refused').length;
  const open = all.length - done - refused;
  const title = open > 0 ? t('media.uploading', { n: done + refused, total: all.length }) : t('media.uploaded', { n: done });
  const top = open === 0 && html`<${Button} look="quiet" icon="x" label=${t('common.close')} onClick=${clear} />`;
  return html`<${Card} title=${title} top=${top}>
    <progress class="whole-line" max=${all.length} value=${done + refused} aria-label=${title}></progress>
    ${refused > 0 && html`<p role="alert">${t('media.refused', { n: refused })}</p>`}
    <ul class="results uploads">${all.filter((u) => u.state !== 'done').map((u) => html`<li class=${u.state === 'refused' ? 'failed' : ''} key=${u.id}
      aria-busy=${u.state === 'sending'}>
      <${Icon} name=${icons[u.state]} size=${16} /><b>${u.file.name}</b> <span>${u.text || bytes(u.file.size)}</span>
      ${u.state === 'refused' && html`<${Button} look="quiet" icon="refresh-cw" label=${t('media.again', { name: u.file.name })}
        onClick=${() => again(u.id)} />`}</li>`)}</ul>
  <//>`;
}
