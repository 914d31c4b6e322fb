import { html, useState } from '../../vendor/ui.js';
import { go } from '../../base/route.js';
import { api, can } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Acts, useAttempt } from '../../parts/acts.js';
import { confirm } from '../../parts/dialog.js';
import { Once } from '../../parts/once.js';
import { tell } from '../../parts/toast.js';
import { EndpointDialog } from './edit.js';
import { secretWords } from './parts.js';
import { Replay } from './replay.js';

/** EndpointActions is what can be done with an endpoint. @param {{ endpoint: import('./parts.js').Endpoint, onChanged: () => void }} props */
export function EndpointActions({ endpoint, onChanged }) {
  const [open, setOpen] = useState('');
  const [secret, setSecret] = useState('');
  const [busy, attempt] = useAttempt(onChanged);
  const { id, revision = null, url } = endpoint;
  const endpoints = api.collections.from('webhook-endpoints');

  const test = () => attempt(async () => {
    const { delivery } = await api.call('POST /api/webhook-endpoints/{id}/test', { id });
    go(`/webhooks/deliveries/${delivery.id}`);
  });
  const rotate = async () => {
    if (!(await confirm({ title: t('webhooks.rotate'), text: t('webhooks.rotateText'), action: t('webhooks.rotate'), danger: true }))) return;
    await attempt(async () => setSecret((await api.call('POST /api/webhook-endpoints/{id}/rotate-secret', { id, expectedRevision: revision })).secret));
  };
  const toggle = async () => {
    const off = endpoint.enabled;
    if (off && !(await confirm({ title: t('webhooks.disable'), text: t('webhooks.disableText'), action: t('webhooks.disable'), danger: true }))) return;
    await attempt(async () => {
      await endpoints.update(id, /** @type {any} */ ({ enabled: !off, expectedRevision: revision }));
      tell(t(off ? 'webhooks.disabled' : 'webhooks.enabled'));
    });
  };
  const remove = async () => {
    if (!(await confirm({ title: t('webhooks.delete'), text: t('webhooks.deleteText', { url }), action: t('common.delete'), danger: true }))) return;
    await attempt(async () => {
      await endpoints.remove(id);
      go('/webhooks');
    });
  };
  const may = can('webhook-endpoints:update');
  const others = [
    may && { keys: 'c', label: t('webhooks.edit'), icon: 'pencil', run: () => setOpen('edit') },
    may && { label: t('webhooks.replay'), icon: 'rotate-ccw', run: () => setOpen('replay') },
    may && { label: t('webhooks.rotate'), icon: 'key', run: rotate },
    may && { label: t(endpoint.enabled ? 'webhooks.disable' : 'webhooks.enable'), icon: endpoint.enabled ? 'pause' : 'play', run: toggle },
    can('webhook-endpoints:delete') && { label: t('common.delete'), icon: 'trash', danger: true, run: remove },
  ];
  const close = () => setOpen('');
  return html`<${Acts} next=${may && { keys: 't', label: t('webhooks.test'), icon: 'send', run: test }} ...${{ others, busy }} />
    ${open === 'edit' && html`<${EndpointDialog} endpoint=${endpoint} onClose=${close} onChanged=${onChanged} />`}
    ${open === 'replay' && html`<${Replay} endpoint=${endpoint} onClose=${close} />`}
    ${secret && html`<${Once} ...${secretWords()} secret=${secret} onClose=${() => setSecret('')} />`}`;
}
