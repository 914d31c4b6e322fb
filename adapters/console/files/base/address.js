// Addresses, each with the parts that its country has, in the order of that country.

/** @typedef {Record<string, any>} Address */
/** @typedef {{ name: string, label?: string, example?: string | null, options?: { value: string, label: string }[] }} Part */

/** All parts, as long as the shop has not said which ones a country has. */
const all = ['recipientName', 'company', 'phone', 'postalCode', 'province', 'city', 'district', 'address1', 'address2', 'deliveryNote'];

/** What an address book and an order have of an address. */
export const addressParts = ['country', ...all];

/**
 * partsOf is the parts of an address in their order: those of its country, and what it has besides, so that nothing is hidden that may be wrong.
 * @param {Address} address
 * @param {Part[] | undefined} fields of the country
 * @returns {Part[]}
 */
export function partsOf(address, fields) {
  const named = fields ?? all.map((name) => ({ name }));
  return [...named, ...all.filter((name) => address[name] && !named.some((f) => f.name === name)).map((name) => ({ name }))];
}

/** East Asian letters, in which an address begins with the largest part; and the languages of the countries that are written so. */
const eastern = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** @type {Record<string, string>} */
const tongues = { CN: 'zh', HK: 'zh', JP: 'ja', KR: 'ko', MO: 'zh', TW: 'zh' };

/**
 * tongueOf is the language that an address is written in, if it has to be read in that one: 東京都 would be Tokyo otherwise.
 * @param {Address} address
 */
export const tongueOf = ({ country, address1, address2, city }) => (eastern.test(`${address1}${address2}${city}`) ? tongues[country] : undefined);

/** Parts that end a line; all but the street begin one, too. */
const alone = ['recipientName', 'company', 'phone', 'address1', 'address2'];

/**
 * linesOf is an address in lines, without its country.
 * @param {Address} address
 * @param {Part[]} [fields] of the country
 * @returns {string[]}
 */
export function linesOf(address, fields) {
  /** @type {string[]} */
  const lines = [];
  let before = 'phone';
  for (const { name, options } of partsOf(address, fields)) {
    const text = options?.find((o) => o.value === address[name])?.label ?? address[name];
    if (!text || name === 'deliveryNote') continue;
    if (alone.includes(before) || (alone.includes(name) && name !== 'address1')) lines.push(text);
    else lines.push(`${lines.pop()}${before === 'city' && name === 'province' ? ',' : ''} ${text}`);
    before = name;
  }
  return lines;
}
