// What the shop refuses: it tells in the reader's language.
import { CommerceSDKError } from '../vendor/sdk.js';
import { t } from './words.js';

/**
 * @typedef {object} Refusal
 * @property {string} text what to tell where the fields say what is wrong with them
 * @property {string} alone what to tell where no fields are shown
 * @property {Record<string, string>} fields a sentence for each field that is named
 * @property {string} reason
 * @property {string | undefined} id of the request, for those who run the server; none where the fields say what to correct
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
  // What has no code was not told by the shop, but by the SDK on this side of the line.
  const whole = e.code === undefined ? t(`common.local-${e.reason}`) : e.message;
  /** @type {Record<string, string>} */
  const fields = {};
  for (const { field, message } of e.fields ?? []) fields[field] ??= message;
  // A refusal without fields names one input, about which it says the same as about the whole.
  const named = (e.fields ?? []).some(({ message }) => message !== e.message);
  const wrong = named && e.reason === 'validation_failed';
  // One of many that were to be changed together says why in its own sentence.
  const each = wrong || (named && e.reason === 'bulk_refused');
  return {
    text: wrong ? t('common.invalid', { n: Object.keys(fields).length }) : whole,
    alone: each ? [...new Set(Object.values(fields))].join(' ') : whole,
    fields, reason: e.reason, id: e.fields?.length ? undefined : e.requestId, again: e.retryable, unknown: mayHaveHappened(e), facts: e.data ?? {},
  };
}

/** mayHaveHappened: only a refusal by the shop itself says that nothing was done. @param {CommerceSDKError} e */
function mayHaveHappened(e) {
  return e.code === undefined || e.status < 400 || e.status === 408 || e.status >= 500 || e.retryable;
}
