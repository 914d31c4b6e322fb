// Who sits here may be asked to prove it before a call that the server guards: once, however many calls wait for it.
import { signal } from '../vendor/ui.js';

/** What answers the question that is asked; null while none is. @type {import('../vendor/ui.js').Signal<((proven: boolean) => void) | null>} */
export const asked = signal(/** @type {((proven: boolean) => void) | null} */ (null));

/** @type {Promise<boolean> | undefined} */
let asking;

/** askProof has the person prove who they are; false if they change their mind. @returns {Promise<boolean>} */
export function askProof() {
  asking ??= new Promise((/** @type {(proven: boolean) => void} */ resolve) => {
    asked.value = resolve;
  }).finally(() => {
    asking = undefined;
    asked.value = null;
  });
  return asking;
}
