// What an operation would do, read anew whenever the form changes.
import { useEffect, useState } from '../vendor/ui.js';
import { refusalOf } from './refusal.js';

/**
 * usePreview asks what would happen; undefined while that is not known.
 * @template T
 * @param {string} key tells what is asked; '' asks nothing
 * @param {(signal: AbortSignal) => Promise<T>} ask
 * @returns {{ preview: T | undefined, refusal: import('./refusal.js').Refusal | undefined, asking: boolean }}
 */
export function usePreview(key, ask) {
  const [state, setState] = useState({ key: '', preview: /** @type {T | undefined} */ (undefined), refusal: /** @type {any} */ (undefined) });
  useEffect(() => {
    if (!key) return undefined;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      ask(stop.signal).then(
        (preview) => setState({ key, preview, refusal: undefined }),
        (e) => stop.signal.aborted || setState({ key, preview: undefined, refusal: refusalOf(e) }),
      );
    }, 200);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [key]);
  const now = state.key === key;
  return { preview: now ? state.preview : undefined, refusal: now ? state.refusal : undefined, asking: key !== '' && !now };
}
