// Numbers as people type them.

/** Commas between thousands, and nowhere else: `1,5` is no fifteen. */
const grouped = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/;

/**
 * amountIn is the number that was typed, `12,000` as well as `12000`; what is no number stays as it is, so that the shop says what is wrong.
 * @param {any} typed
 */
export function amountIn(typed) {
  if (typeof typed !== 'string') return typed;
  const text = typed.replace(/[\s₩$€£¥%]/g, '').replace(/^−/, '-').replace(/^\+/, '');
  const plain = grouped.test(text) ? text.replaceAll(',', '') : text;
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : typed;
}

/**
 * numberOf is what a form holds while a number is typed: the number if it is written just so, null for nothing, and else the text, which
 * amountIn reads when the form is sent. An input would be rewritten at `1.`, and `1.05` come out as 15.
 * @param {string} text
 */
export function numberOf(text) {
  if (text.trim() === '') return null;
  return String(Number(text)) === text ? Number(text) : text;
}
