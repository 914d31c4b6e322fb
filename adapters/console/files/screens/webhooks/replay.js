import { html, useEffect, useRef, useState } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { api } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Dialog } from '../../parts/dialog.js';
import { DateField } from '../../parts/field.js';
import { FormFoot } from '../../parts/form.js';
import { Notice } from '../../parts/state.js';
import { tell } from '../../parts/toast.js';

/** @typedef {import('./parts.js').Endpoint} Endpoint */

/**
 * useReplaying sends what happened once more, until it is done or stopped.
 * @param {Endpoint} endpoint
 */
function useReplaying({ id }) {
  const [sent, setSent] = useState(0);
  const stopped = useRef(false);
  const stop = () => {
    stopped.current = true;
  };
  useEffect(() => stop, []);
  // How far it has come: a second try goes on where the first one failed, or all before would be delivered twice.
  const done = useRef({ of: '', next: '', deliveries: 0 });
  const replay = async (/** @type {Record<string, any>} */ { from, to }) => {
    const of = `${from} ${to}`;
    if (done.current.of !== of) done.current = { of, next: from, deliveries: 0 };
    const far = done.current;
    setSent(far.deliveries);
    // A call looks at some thousand events and says where the next one goes on.
    while (far.next && !stopped.current) {
      const answer = await api.call('POST /api/webhook-endpoints/{id}/replay', { id, from: far.next, to: to ?? null });
      far.deliveries += answer.deliveries;
      setSent(far.deliveries);
      far.next = answer.nextSequence === null ? '' : String(answer.nextSequence);
    }
    tell(t('webhooks.replayed', { n: far.deliveries }));
  };
  return { sent, replay, stop };
}

/** Replay sends what happened in a span of time once more. @param {{ endpoint: Endpoint, onClose: () => void }} props */
export function Replay({ endpoint, onClose }) {
  const { sent, replay, stop } = useReplaying(endpoint);
  const form = useForm({ name: `replay ${endpoint.id}`, keep: false, initial: { from: '', to: '' }, send: replay, onSent: onClose });
  const close = () => {
    stop();
    onClose();
  };
  const foot = html`<${FormFoot} form=${form} onCancel=${close} id="replay" action=${t('webhooks.replay')} />`;
  return html`<${Dialog} title=${t('webhooks.replay')} onClose=${close} actions=${foot}>
    <form id="replay" class="stack" onSubmit=${form.send}>
      <p>${t('webhooks.replayText')}</p>
      <${DateField} label=${t('list.rangeFrom')} moment ...${form.input('from')} required />
      <${DateField} label=${t('list.rangeTo')} moment ...${form.input('to')} help=${t('webhooks.replayTo')} />
      ${form.busy && html`<${Notice}>${t('webhooks.replaying', { n: sent })}<//>`}
    </form>
  <//>`;
}
