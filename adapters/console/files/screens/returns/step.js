// The form of a step of a return.
import { api } from '../../base/shop.js';
import { t } from '../../base/words.js';
import { useAct } from '../../parts/form.js';

/**
 * useStep is the form of a step: it is told once, and what was there is read anew after it.
 * @param {import('./actions.js').Step} step
 * @param {import('./actions.js').DialogProps} props
 * @param {Record<string, any>} initial
 * @param {(typed: Record<string, any>) => Record<string, any>} [input] what is sent of what was typed
 */
export function useStep(step, { data: { request }, onClose, onChanged }, initial, input = (typed) => typed) {
  return useAct({
    name: `${step} ${request.id}`,
    initial,
    send: (changes, options) => {
      const asked = /** @type {any} */ ({ id: request.id, ...input(changes), expectedRevision: request.revision });
      return api.call(`POST /api/return-requests/{id}/${step}`, asked, options);
    },
    said: t(`returns.done-${step}`), onClose, onChanged,
  });
}
