// What can be done with a return: the next step first. What cannot be undone or moves money is shown before it happens.
import { html, useState } from '../../vendor/ui.js';
import { api, can } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { Acts, useAttempt } from '../../parts/acts.js';
import { TextField } from '../../parts/field.js';
import { FormDialog } from '../../parts/form.js';
import { tell } from '../../parts/toast.js';
import { Outcome, useOutcome } from '../orders/outcome.js';
import { Receive } from './receive.js';
import { useStep } from './step.js';
import { Sums, titles } from './sums.js';

/** @typedef {import('./return.js').ReturnData} ReturnData */
/** @typedef {'approve' | 'receive' | 'refund' | 'reject' | 'cancel'} Step */
/** @typedef {{ data: ReturnData, onClose: () => void, onChanged: () => void }} DialogProps */

/** @type {Record<Step, { icon: string, keys: string, needs: string, danger?: boolean }>} */
const looks = {
  approve: { icon: 'check', keys: 'n', needs: 'returns:decide' },
  receive: { icon: 'package', keys: 'n', needs: 'returns:decide' },
  refund: { icon: 'banknote', keys: 'u', needs: 'returns:refund' },
  reject: { icon: 'ban', keys: 'b', needs: 'returns:decide', danger: true },
  cancel: { icon: 'x', keys: 'l', needs: 'returns:decide', danger: true },
};

/** The steps from each status, the next one first. @type {Record<string, Step[]>} */
const steps = { requested: ['approve', 'reject', 'cancel'], approved: ['receive', 'refund', 'reject', 'cancel'], received: ['refund'] };

/** @param {{ data: ReturnData, onChanged: () => void }} props */
export function ReturnActions({ data, onChanged }) {
  const [open, setOpen] = useState(/** @type {Step | ''} */ (''));
  const [busy, attempt] = useAttempt(onChanged);
  const { id, status, revision } = data.request;
  const approve = () =>
    attempt(async () => {
      await api.call('POST /api/return-requests/{id}/approve', { id, expectedRevision: revision });
      tell(t('returns.done-approve'));
    });
  const [next, ...others] = (steps[status ?? ''] ?? []).filter((step) => can(looks[step].needs)).map((step) => ({
    ...looks[step], run: () => (step === 'approve' ? approve() : setOpen(step)),
    label: t(step === 'refund' && status === 'approved' ? 'returns.do-refundUnseen' : `returns.do-${step}`),
  }));
  const same = { data, onClose: () => setOpen(''), onChanged };
  return html`<${Acts} ...${{ next, others, busy }} />
    ${open === 'receive' && html`<${Receive} ...${same} />`}
    ${open === 'refund' && html`<${Refund} ...${same} />`}
    ${(open === 'reject' || open === 'cancel') && html`<${End} step=${open} ...${same} />`}`;
}

/** Refund gives the money of a return back. @param {DialogProps} props */
function Refund(props) {
  const { request, order } = props.data;
  const form = useStep('refund', props, { refundAccount: undefined });
  const of = useOutcome(form, 'POST /api/return-requests/{id}/refund', { id: request.id, expectedRevision: request.revision });
  const ending = request.refundAccountEnding;
  const told = t(request.refundAmount === 0 ? 'returns.refundNothing' : ending ? 'returns.refundAccount' : 'returns.refundText', { ending });
  return html`<${FormDialog} form=${form} id="refund" title=${t('returns.do-refund')} action=${t('returns.do-refund')} danger ready=${of.ready} onClose=${props.onClose}>
    <p>${told}</p>
    ${request.status === 'approved' && html`<p><b>${t('returns.refundUnseen')}</b></p>`}
    <${Sums} amounts=${request} titleOf=${titles(order)} />
    <${Outcome} form=${form} of=${of} lines=${order?.lines} />
  <//>`;
}

/** End rejects or cancels a return whose goods are not here. @param {DialogProps & { step: 'reject' | 'cancel' }} props */
function End(props) {
  const { step, onClose } = props;
  const form = useStep(step, props, { reason: '' });
  const title = t(`returns.do-${step}`);
  return html`<${FormDialog} form=${form} id="end" title=${title} action=${title} danger ready=${step === 'cancel' || form.dirty} onClose=${onClose}>
    <p>${t(`returns.what-${step}`)}</p>
    <${TextField} label=${t('returns.reason')} help=${t('returns.reasonHelp')} rows=${3} ...${form.input('reason')}
      required=${step === 'reject'} autofocus />
  <//>`;
}
