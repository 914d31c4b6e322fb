// The API keys of the shop.
import { html, useState } from '../../vendor/ui.js';
import { useShortcuts } from '../../base/keys.js';
import { href } from '../../base/route.js';
import { can } from '../../base/shop.js';
import { collectionLabel, optionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { List } from '../../parts/list.js';
import { Once } from '../../parts/once.js';
import { Badge, Empty, Page } from '../../parts/state.js';
import { Time } from '../../parts/value.js';
import { MakeKey } from './make_key.js';

const columns = ['name', 'kind', 'environment', 'scopes', 'last4', 'createdAt', 'revokedAt'];

/** @param {any} k */
const scopes = (k) => (k.kind === 'client' ? '—'
  : k.scopes.map((/** @type {string} */ s) => optionLabel('api-keys', 'scopes', s)).join(', ') || t('team.allScopes'));

/** @param {string} name @returns {Partial<import('../../parts/table.js').Column>} */
const ago = (name) => ({ width: '8.5rem', cell: (k) => html`<${Time} at=${k[name]} relative />` });

/** @type {Record<string, Partial<import('../../parts/table.js').Column>>} */
const cells = {
  last4: { width: '6rem', cell: (k) => html`<code>…${k.last4}</code>` }, scopes: { cell: scopes }, createdAt: ago('createdAt'), revokedAt: ago('revokedAt'),
};

/** @param {any} k */
const card = (k) => html`<span class="record-card"><b>${k.name} <code>…${k.last4}</code></b>
  <span class="badges"><${Badge}>${optionLabel('api-keys', 'kind', k.kind)}<//><${Badge} tone=${k.environment === 'live' ? 'info' : 'wait'}>
    ${optionLabel('api-keys', 'environment', k.environment)}<//>
    ${k.revokedAt && html`<${Badge} tone="over">${t('team.revokedKey')}<//>`}</span></span>`;

export default function Keys() {
  const [open, setOpen] = useState(false);
  const [made, setMade] = useState(/** @type {string | null} */ (null));
  const may = can('api-keys:create');
  useShortcuts(may ? [{ keys: 'a', label: t('team.keyNew'), run: () => setOpen(true) }] : []);
  const add = may && html`<${Button} look="primary" icon="plus" keys="a" onClick=${() => setOpen(true)}>${t('team.keyNew')}<//>`;
  return html`<${Page} title=${collectionLabel('api-keys')} class="full" top=${add}>
    <${List} slug="api-keys" label=${collectionLabel('api-keys')} link=${(/** @type {any} */ k) => href(`/keys/${k.id}`)} columns=${columns} cells=${cells}
      card=${card}
      empty=${html`<${Empty} icon="key" title=${t('team.noKeys')} text=${t('team.noKeysText')} action=${add} />`} />
    ${open && html`<${MakeKey} onClose=${() => setOpen(false)} onMade=${setMade} />`}
    ${made && html`<${Once} title=${t('team.keyMade')} text=${t('team.keyOnce')} secret=${made} onClose=${() => setMade(null)} />`}
  <//>`;
}
