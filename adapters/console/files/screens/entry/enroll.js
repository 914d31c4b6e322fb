import { html, useState } from '../../vendor/ui.js';
import { enter, leave } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { Page } from '../../parts/state.js';
import { complain } from '../../parts/toast.js';
import { Factors } from '../account/factors.js';

/** Enroll is all that a shop shows which requires a second factor to somebody who has none. */
export default function Enroll() {
  const [busy, setBusy] = useState(false);
  const go = async () => {
    setBusy(true);
    await enter().catch(complain);
    setBusy(false);
  };
  const top = html`<${Button} look="primary" icon="arrow-right" busy=${busy} onClick=${go}>${t('common.next')}<//>
    <${Button} look="quiet" icon="log-out" onClick=${() => void leave().catch(complain)}>${t('shell.signOut')}<//>`;
  return html`<main><${Page} title=${t('entry.enroll')} class="single" top=${top}><${Factors} /><//></main>`;
}
