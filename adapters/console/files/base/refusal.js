// What the shop refuses, in the reader's language.
import { CommerceSDKError } from '../vendor/sdk.js';
import { fill, look, t, wordsOf } from './words.js';

/**
 * @typedef {object} Refusal
 * @property {string} text what to tell where the fields say what is wrong with them
 * @property {string} alone what to tell where no fields are shown
 * @property {Record<string, string>} fields a sentence for each field that is named
 * @property {string} reason
 * @property {string | undefined} id of the request
 * @property {boolean} again the same request may succeed later
 * @property {boolean} unknown it may have happened all the same: trying again has to be the same operation
 * @property {Record<string, any>} facts
 */

/**
 * refusalOf is what to tell of a failure: a sentence, and one for each field that is named. What is no refusal is a defect of the page,
 * which is told as such.
 * @param {unknown} e
 * @returns {Refusal}
 */
export function refusalOf(e) {
  if (!(e instanceof CommerceSDKError)) {
    console.error(e);
    const text = t('common.defect');
    return { text, alone: text, fields: {}, reason: 'defect', id: undefined, again: false, unknown: true, facts: {} };
  }
  const facts = /** @type {Record<string, any>} */ (e.data ?? {});
  const whole = wholeOf(e, facts);
  /** @type {Record<string, string>} */
  const fields = {};
  // A refusal without fields names one input, about which it says the same as about the whole.
  for (const { field, message } of e.fields ?? []) fields[field] ??= message === e.message ? whole : sentence(message);
  const named = (e.fields ?? []).some(({ message }) => message !== e.message);
  const wrong = named && e.reason === 'validation_failed';
  // One of many that were to be changed together says why in its own sentence.
  const each = wrong || (named && e.reason === 'bulk_refused');
  return {
    text: wrong ? t('common.invalid', { n: Object.keys(fields).length }) : whole,
    alone: each ? [...new Set(Object.values(fields))].join(' ') : whole,
    fields, reason: e.reason, id: e.requestId, again: e.retryable, unknown: mayHaveHappened(e), facts,
  };
}

/** mayHaveHappened: only a refusal by the shop itself says that nothing was done. @param {CommerceSDKError} e */
function mayHaveHappened(e) {
  return e.code === undefined || e.status < 400 || e.status === 408 || e.status >= 500 || e.retryable;
}

/** @typedef {{ reason: string, message: string, data?: unknown }} Because */

/**
 * because is what to tell of one refused among many: the answer is none, and says of each why. What is wrong with a value is said best by
 * its own sentence.
 * @param {Because | undefined} refused
 */
export function because(refused) {
  if (!refused) return t('common.defect');
  if (refused.reason === 'validation_failed') return sentence(refused.message);
  return wholeOf(refused, /** @type {Record<string, any>} */ (refused.data ?? {}));
}

/**
 * wholeOf is the word of the reason. Instead of one that lacks a fact stands the sentence of the API, and one that says less than that
 * is the last resort.
 * @param {Because} e
 * @param {Record<string, any>} facts
 */
function wholeOf(e, facts) {
  const word = /** @type {string | undefined} */ (look('reasons', e.reason));
  if (word === undefined) return sentence(e.message);
  const complete = [...word.matchAll(/{(\w+)}/g)].every(([, name = '']) => name in facts);
  if (!complete) return sentence(e.message);
  return (e.reason === 'validation_failed' ? translated(e.message) : undefined) ?? fill(word, facts);
}

/**
 * sentence is what the API says is wrong with a field, in the reader's language; what has no words is shown as it is.
 * @param {string} message
 */
export function sentence(message) {
  return translated(message) ?? message;
}

/**
 * translated finds a sentence as such, else as one in which something varies.
 * @param {string} message
 * @returns {string | undefined}
 */
function translated(message) {
  const exact = look('problems', message);
  if (exact !== undefined) return exact;
  for (const { pattern, word } of templates()) {
    const found = pattern.exec(message);
    let next = 0;
    if (found) return word.replace(/{(\d*)}/g, (_, number) => found[Number(number) || ++next] ?? '');
  }
  return undefined;
}

/** @typedef {{ pattern: RegExp, word: string }} Template */

/** @type {WeakMap<import('./words.js').Words, Template[]>} */
const compiled = new WeakMap();

/** templates are the sentences in which something varies. Those that say most come first: they fit the fewest. */
function templates() {
  const words = wordsOf('problems') ?? {};
  let all = compiled.get(words);
  if (!all) {
    const keys = Object.keys(words).filter((key) => key.includes('{}')).sort((a, b) => b.length - a.length);
    all = keys.map((key) => ({ pattern: patternOf(key), word: String(words[key]) }));
    compiled.set(words, all);
  }
  return all;
}

/** @param {string} key */
function patternOf(key) {
  const parts = key.split('{}').map((part) => part.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  return new RegExp(`^${parts.join('(.*?)')}$`, 's');
}
