import { html } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { api, readable } from '../../base/shop.js';
import { collectionLabel, fieldLabel, optionLabel, t } from '../../base/words.js';
import { ChecksField, TextField } from '../../parts/field.js';
import { FormDialog } from '../../parts/form.js';
import { tell } from '../../parts/toast.js';

/** @typedef {import('./parts.js').Endpoint} Endpoint */

const operations = ['create', 'update', 'delete'];

/**
 * EndpointDialog makes an endpoint, or changes one.
 * @param {{ endpoint?: Endpoint, onClose: () => void, onMade?: (answer: any) => void, onChanged?: () => void }} props
 */
export function EndpointDialog({ endpoint, onClose, onMade, onChanged }) {
  const form = useForm({
    name: `webhook ${endpoint?.id ?? 'new'}`, ...(onChanged && { refresh: onChanged }),
    initial: endpoint ?? { url: '', description: '', collections: [], operations: [] },
    send: async (changes, options) => {
      if (endpoint) {
        const change = /** @type {any} */ ({ ...changes, expectedRevision: options.revision });
        await api.collections.from('webhook-endpoints').update(endpoint.id, change, options);
        tell(t('common.saved'));
        onChanged?.();
      } else onMade?.(await api.call('POST /api/webhook-endpoints', /** @type {any} */ (changes), options));
    },
    onSent: onClose,
  });
  const { url, description, collections: chosen, operations: some } = form.values;
  const slugs = readable().map((value) => ({ value, label: collectionLabel(value) })).sort((a, b) => a.label.localeCompare(b.label));
  const label = (/** @type {string} */ name) => fieldLabel('webhook-endpoints', name);
  return html`<${FormDialog} form=${form} id="webhook" title=${t(endpoint ? 'webhooks.edit' : 'webhooks.add')} size="large" slug="webhook-endpoints"
    onClose=${onClose}>
    <${TextField} label=${label('url')} type="url" value=${url} required autofocus placeholder="https://" help=${t('webhooks.urlHelp')}
      error=${form.error('url')}
      onInput=${(/** @type {string} */ v) => form.set('url', v)} />
    <${TextField} label=${label('description')} value=${description ?? ''} error=${form.error('description')}
      onInput=${(/** @type {string} */ v) => form.set('description', v)} />
    <${ChecksField} label=${label('operations')} value=${some} error=${form.error('operations')} help=${t('webhooks.operationsHelp')}
      options=${operations.map((value) => ({ value, label: optionLabel('webhook-endpoints', 'operations', value) }))}
        onInput=${(/** @type {string[]} */ v) => form.set('operations', v)} />
    <${ChecksField} label=${label('collections')} value=${chosen} error=${form.error('collections')} help=${t('webhooks.collectionsHelp')} options=${slugs}
      class="many"
      onInput=${(/** @type {string[]} */ v) => form.set('collections', v)} />
  <//>`;
}
