// What is counted into a parcel: scanned, or by the keyboard.
import { useRef, useState } from '../../vendor/ui.js';
import { t } from '../../base/words.js';
import { fits, foreign } from './scan.js';
import { fullName } from './work.js';

/** @typedef {import('./work.js').Line} Line */
/** @typedef {{ kind: 'good' | 'bad' | 'info', text: string }} Told what became of a scan */

/**
 * itemsOf is what was counted, as the shop takes it: no more than what is left.
 * @param {Line[]} lines
 * @param {Record<string, any>} units
 */
export function itemsOf(lines, units) {
  return lines.flatMap(({ id, left }) => {
    const quantity = Math.min(left, Number(units?.[id]) || 0);
    return quantity > 0 ? [{ orderLine: id, quantity }] : [];
  });
}

/**
 * useCounting counts units of lines into a form. at is the line that plus and minus count.
 * @param {import('./work.js').Order} order
 * @param {Line[]} lines
 * @param {import('../../base/form.js').Form} form
 */
export function useCounting(order, lines, form) {
  const [told, setTold] = useState(/** @type {Told | null} */ (null));
  const [chosen, setAt] = useState(0);
  const at = Math.min(chosen, lines.length - 1);
  // A scanner is faster than the page is drawn.
  const now = useRef(form);
  now.current = form;
  const count = (/** @type {Line} */ line) => Math.min(line.left, Number(now.current.get(`units.${line.id}`)) || 0);
  const put = (/** @type {Line} */ line, /** @type {number} */ n) => form.set(`units.${line.id}`, Math.max(0, Math.min(line.left, n)) || undefined);
  const step = (/** @type {number} */ by) => {
    const line = lines[at];
    if (line) put(line, count(line) + by);
  };
  const scan = (/** @type {string} */ code) => {
    const named = lines.filter((line) => fits(line, code));
    const line = named.find((one) => count(one) < one.left) ?? named[0];
    if (!line) {
      setTold({ kind: 'info', text: t('packing.looking', { code }) });
      void foreign(code, order).then(setTold);
      return;
    }
    const n = count(line) + 1;
    setAt(lines.indexOf(line));
    if (n > line.left) setTold({ kind: 'bad', text: t('packing.tooMany', { name: line.title, n: line.left }) });
    else {
      put(line, n);
      setTold({ kind: 'good', text: t('packing.added', { name: fullName(line), n, of: line.left }) });
    }
  };
  return {
    told, at, setAt, count, put, step, scan,
    move: (/** @type {number} */ by) => setAt((at + by + lines.length) % lines.length),
    counted: itemsOf(lines, form.values.units).reduce((n, item) => n + item.quantity, 0),
    everything: () => lines.forEach((line) => put(line, line.left)),
    calm: () => setTold(null),
  };
}
