import { html } from '../../vendor/ui.js';
import { api } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { confirm } from '../../parts/dialog.js';
import { complain } from '../../parts/toast.js';
import { Proven } from './proven.js';

/** Codes is how many recovery codes are left, and how to have new ones. @param {{ left: number, onChange: (codes: string[]) => void }} props */
export function Codes({ left, onChange }) {
  const renew = async () => {
    if (!(await confirm({ title: t('account.codesRenew'), text: t('account.codesRenewText'), action: t('account.codesRenew') }))) return;
    onChange((await api.ask('POST /api/users/recovery-codes')).recoveryCodes);
  };
  const top = html`<${Button} icon="refresh-cw" onClick=${() => void renew().catch(complain)}>${t('account.codesRenew')}<//>`;
  return html`<${Proven} icon="key" title=${t('account.codes')} text=${t('account.codesLeft', { n: left })} top=${top} />`;
}
