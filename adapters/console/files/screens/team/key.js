// One API key: what it may, and how to replace or end it.
import { html, useMemo, useRoute, useState } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { useShortcuts } from '../../base/keys.js';
import { useQuery } from '../../base/query.js';
import { href } from '../../base/route.js';
import { api, can, writer } from '../../base/shop.js';
import { collectionLabel, fieldLabel, optionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { confirm } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import { FormFoot } from '../../parts/form.js';
import { Once } from '../../parts/once.js';
import { Absent, Badge, Card, Page } from '../../parts/state.js';
import { Timeline } from '../../parts/timeline.js';
import { complain, tell } from '../../parts/toast.js';
import { Time } from '../../parts/value.js';

/** @typedef {import('../../vendor/sdk.js').Schemas['ApiKey']} ApiKey */

export default function KeyScreen() {
  const { id = '' } = useRoute().params;
  const { data, refusal, reload } = useQuery(`key ${id}`, (signal) =>
    api.collections.from('api-keys').findById(id, {}, { signal }), { live: ['api-keys'], record: id });
  const back = { href: href('/keys'), label: collectionLabel('api-keys') };
  if (!data) return html`<${Absent} title=${collectionLabel('api-keys', 'one')} back=${back} class="single" refusal=${refusal} again=${reload}
    gone=${t('team.keyGone')} />`;
  const fact = (/** @type {string} */ name, /** @type {any} */ value) => html`<div><dt>${fieldLabel('api-keys', name)}</dt><dd>${value}</dd></div>`;
  const scopes = data.scopes.map((s) => optionLabel('api-keys', 'scopes', s)).join(', ') || t('team.allScopes');
  const badge = data.revokedAt && html`<${Badge} tone="bad">${t('team.revokedKey')}<//>`;
  return html`<${Page} title=${data.name ?? ''} back=${back} badges=${badge} class="single" ...${{ refusal, again: reload }}
    top=${can('api-keys:update') && !data.revokedAt && html`<${Actions} apiKey=${data} reload=${reload} />`}>
    <${Card}><dl class="facts">
      ${fact('last4', html`<code>…${data.last4}</code>`)}${fact('kind', optionLabel('api-keys', 'kind', data.kind ?? ''))}
      ${fact('environment', optionLabel('api-keys', 'environment', data.environment ?? ''))}${data.kind === 'secret' && fact('scopes', scopes)}
      ${fact('createdAt', html`<${Time} at=${data.createdAt} />`)}${data.revokedAt && fact('revokedAt', html`<${Time} at=${data.revokedAt} />`)}
    </dl>${can('api-keys:update') && html`<${Rename} apiKey=${data} reload=${reload} />`}<//>
    <${Timeline} slug="api-keys" id=${id} live=${['api-keys']} />
  <//>`;
}

/** @param {{ apiKey: ApiKey, reload: () => void }} props */
function Rename({ apiKey, reload }) {
  const initial = useMemo(() => ({ name: apiKey.name, revision: apiKey.revision }), [apiKey]);
  const form = useForm({
    name: `key ${apiKey.id}`,
    initial,
    refresh: reload,
    send: (changes, { revision, ...options }) => writer('api-keys').update(apiKey.id, { ...changes, expectedRevision: revision }, options),
    onSent: () => {
      reload();
      tell(t('common.saved'));
    },
  });
  return html`<form id="key" class="stack" onSubmit=${form.send}>
      <${TextField} label=${fieldLabel('api-keys', 'name')} required ...${form.input('name')} />
    </form>
    <${FormFoot} form=${form} id="key" slug="api-keys" />`;
}

/** @param {{ apiKey: ApiKey, reload: () => void }} props */
function Actions({ apiKey: { id, name, revision }, reload }) {
  const [made, setMade] = useState(/** @type {string | null} */ (null));
  const [busy, setBusy] = useState('');
  /** @param {'rotate' | 'revoke'} word @param {() => Promise<string>} step */
  const after = async (word, step) => {
    if (!(await confirm({ title: t(`team.key-${word}`), text: t(`team.key-ask-${word}`, { name }), action: t(`team.key-${word}`), danger: true }))) return;
    setBusy(word);
    await step().then(setMade, complain);
    reload();
    setBusy('');
  };
  const rotate = () => after('rotate', async () => (await api.call('POST /api/api-keys/{id}/rotate', { id, expectedRevision: revision ?? null })).key);
  const revoke = () =>
    after('revoke', async () => {
      await api.call('POST /api/api-keys/{id}/revoke', { id, expectedRevision: revision ?? null });
      tell(t('team.keyRevoked', { name }));
      return '';
    });
  useShortcuts([{ keys: 'o', label: t('team.key-rotate'), run: () => void rotate() }, { keys: 'd', label: t('team.key-revoke'), run: () => void revoke() }]);
  return html`<${Button} icon="refresh-cw" keys="o" busy=${busy === 'rotate'} onClick=${rotate}>${t('team.key-rotate')}<//>
    <${Button} icon="ban" busy=${busy === 'revoke'} onClick=${revoke}>${t('team.key-revoke')}<//>
    ${made && html`<${Once} title=${t('team.keyMade')} text=${t('team.keyOnce')} secret=${made} onClose=${() => setMade(null)} />`}`;
}
