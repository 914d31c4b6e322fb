import { html, useState } from '../../vendor/ui.js';
import { api } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { useAttempt } from '../../parts/acts.js';
import { Button } from '../../parts/button.js';
import { Card, Notice } from '../../parts/state.js';

/** @typedef {import('../../vendor/sdk.js').OperatorAnswer<'POST /api/provider-connections/{id}/test'>} Result */

/** TryConnection asks the provider whether it accepts what is saved. @param {{ id: string, provider: string }} props */
export function TryConnection({ id, provider }) {
  const [result, setResult] = useState(/** @type {Result | undefined} */ (undefined));
  const [busy, attempt] = useAttempt();
  const test = () => attempt(async () => {
    setResult(undefined);
    setResult(await api.call('POST /api/provider-connections/{id}/test', { id }));
  });
  return html`<${Card} title=${t('setup.test')} top=${html`<${Button} icon="send" busy=${busy} onClick=${test}>${t('setup.testRun')}<//>`}>
    <p class="help">${t('setup.testText')}</p>
    <div aria-live="polite">${result && html`<${Found} ...${{ result, provider }} />`}</div>
  <//>`;
}

/** @param {{ result: Result, provider: string }} props */
function Found({ result, provider }) {
  const { problem } = result;
  if (!problem) return html`<${Notice} kind="good">${t('setup.testGood', { provider, ms: String(result.latencyMs) })}<//>`;
  const words = {
    credentials_refused: t('setup.testRefused', { provider }), provider_unreachable: t('setup.testUnreachable', { provider }),
    credentials_unreadable: t('setup.testUnreadable'), calls_paused: t('setup.testPaused', { provider }),
  };
  return html`<${Notice} kind="bad">${words[problem.reason]}${problem.providerCode && html` <code>${problem.providerCode}</code>`}<//>`;
}
