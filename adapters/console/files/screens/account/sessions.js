import { html, useState } from '../../vendor/ui.js';
import { useShortcuts } from '../../base/keys.js';
import { useQuery } from '../../base/query.js';
import { api } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { confirm } from '../../parts/dialog.js';
import { Badge, Card, Loading, Refused } from '../../parts/state.js';
import { complain, tell } from '../../parts/toast.js';
import { Time } from '../../parts/value.js';
import { deviceOf } from './device.js';

/** Sessions is where the person is signed in, and how to end that. */
export function Sessions() {
  const [busy, setBusy] = useState('');
  const { data, refusal, reload } = useQuery('sessions', (signal) => api.call('GET /api/users/sessions', {}, { signal }));
  const all = data?.sessions ?? [];
  const others = all.length - all.filter((s) => s.current).length;
  const run = async (/** @type {string} */ name, /** @type {() => Promise<string>} */ step) => {
    setBusy(name);
    await step().then(tell, complain);
    reload();
    setBusy('');
  };
  const end = (/** @type {string} */ session) => run(session, async () => {
    await api.call('DELETE /api/users/sessions/{session}', { session });
    return t('account.sessionEnded');
  });
  const endOthers = async () => {
    if (!(await confirm({ title: t('account.endOthers'), text: t('account.endOthersText', { n: others }),
      action: t('account.endOthers'), danger: true }))) return;
    await run('others', async () => t('account.sessionsEnded', { n: (await api.call('POST /api/users/sessions/end-others')).ended }));
  };
  useShortcuts(others > 0 ? [{ keys: 'o', label: t('account.endOthers'), run: () => void endOthers() }] : []);
  const top = others > 0 && html`<${Button} icon="log-out" busy=${busy === 'others'} onClick=${endOthers}>${t('account.endOthers')}<//>`;
  return html`<${Card} title=${t('account.sessions')} top=${top}>
    ${refusal ? html`<${Refused} refusal=${refusal} again=${reload} />` : !data && html`<${Loading} />`}
    <ul class="rows-plain">${all.map((s) => html`<li key=${s.id}>
      <div><b>${deviceOf(s.userAgent) || t('account.unknownDevice')}</b> ${s.current && html`<${Badge} tone="good">${t('account.thisDevice')}<//>`}
        <small>${s.lastAddress} · ${t('account.seen')} <${Time} at=${s.lastSeenAt}
          relative /> · ${t('account.signedIn')} <${Time} at=${s.createdAt} relative /></small></div>
      ${!s.current && html`<${Button} busy=${busy === s.id} onClick=${() => end(s.id)} aria-label=${t('account.endNamed', { name: deviceOf(s.userAgent) })}>
        ${t('account.end')}<//>`}
    </li>`)}</ul>
  <//>`;
}
