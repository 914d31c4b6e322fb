import { html, useState } from '../../vendor/ui.js';
import { useShortcuts } from '../../base/keys.js';
import { go } from '../../base/route.js';
import { api, can } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { confirm } from '../../parts/dialog.js';
import { Menu } from '../../parts/menu.js';
import { Once } from '../../parts/once.js';
import { complain, tell } from '../../parts/toast.js';
import { EndpointDialog } from './edit.js';
import { secretWords } from './parts.js';
import { Replay } from './replay.js';

/** EndpointActions is what can be done with an endpoint. @param {{ endpoint: import('./parts.js').Endpoint, onChanged: () => void }} props */
export function EndpointActions({ endpoint, onChanged }) {
  const [open, setOpen] = useState('');
  const [secret, setSecret] = useState('');
  const [busy, setBusy] = useState(false);
  const { id, revision = null, url } = endpoint;
  const endpoints = api.collections.from('webhook-endpoints');

  /** act does one thing, and shows the endpoint as it is then. @param {() => Promise<void>} work */
  const act = async (work) => {
    setBusy(true);
    await work().catch(complain);
    onChanged();
    setBusy(false);
  };
  const test = () => act(async () => {
    const { delivery } = await api.call('POST /api/webhook-endpoints/{id}/test', { id });
    go(`/webhooks/deliveries/${delivery.id}`);
  });
  const rotate = async () => {
    if (!(await confirm({ title: t('webhooks.rotate'), text: t('webhooks.rotateText'), action: t('webhooks.rotate'), danger: true }))) return;
    await act(async () => setSecret((await api.call('POST /api/webhook-endpoints/{id}/rotate-secret', { id, expectedRevision: revision })).secret));
  };
  const toggle = async () => {
    const off = endpoint.enabled;
    if (off && !(await confirm({ title: t('webhooks.disable'), text: t('webhooks.disableText'), action: t('webhooks.disable'), danger: true }))) return;
    await act(async () => {
      await endpoints.update(id, /** @type {any} */ ({ enabled: !off, expectedRevision: revision }));
      tell(t(off ? 'webhooks.disabled' : 'webhooks.enabled'));
    });
  };
  const remove = async () => {
    if (!(await confirm({ title: t('webhooks.delete'), text: t('webhooks.deleteText', { url }), action: t('common.delete'), danger: true }))) return;
    await act(async () => {
      await endpoints.remove(id);
      go('/webhooks');
    });
  };
  const may = can('webhook-endpoints:update');
  const mayDelete = can('webhook-endpoints:delete');
  const keys = [
    { keys: 't', label: t('webhooks.test'), run: () => void test() },
    { keys: 'c', label: t('webhooks.edit'), run: () => setOpen('edit') },
  ];
  useShortcuts(may ? keys : []);
  if (!may && !mayDelete) return null;
  const changes = [
    { label: t('webhooks.edit'), icon: 'pencil', run: () => setOpen('edit') },
    { label: t('webhooks.replay'), icon: 'rotate-ccw-clock', run: () => setOpen('replay') },
    { label: t('webhooks.rotate'), icon: 'key', run: () => void rotate() },
    { label: t(endpoint.enabled ? 'webhooks.disable' : 'webhooks.enable'), icon: endpoint.enabled ? 'pause' : 'play', run: () => void toggle() },
  ];
  const items = [
    ...(may ? changes : []),
    ...(mayDelete ? [{ label: t('common.delete'), icon: 'trash', danger: true, run: () => void remove() }] : []),
  ];
  const close = () => setOpen('');
  return html`${may && html`<${Button} icon="send" keys="t" busy=${busy} onClick=${test}>${t('webhooks.test')}<//>`}
    <${Menu} label=${t('common.more')} items=${items} />
    ${open === 'edit' && html`<${EndpointDialog} endpoint=${endpoint} onClose=${close} onChanged=${onChanged} />`}
    ${open === 'replay' && html`<${Replay} endpoint=${endpoint} onClose=${close} />`}
    ${secret && html`<${Once} ...${secretWords()} secret=${secret} onClose=${() => setSecret('')} />`}`;
}
