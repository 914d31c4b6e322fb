// The columns of a carrier file, and what their cells say.

/** @typedef {import('./sheet.js').SheetRow} SheetRow */
/** @typedef {'fulfillmentOrder' | 'orderNumber' | 'carrier' | 'trackingNumber'} Column */

/** Names of the columns that an import reads, those of the shop's own files first. @type {Record<Column, string[]>} */
const names = {
  fulfillmentOrder: ['fulfillmentorder', 'fulfillmentorderid', '출고번호', '출고지시번호', '배송지시번호'],
  orderNumber: ['ordernumber', 'orderno', 'orderid', 'order', '주문번호', '고객주문번호'],
  carrier: ['carrier', 'carriercode', 'carriername', 'courier', 'deliverycompany', '택배사', '택배사명', '택배사코드', '택배회사', '배송업체', '배송사', '운송사'],
  trackingNumber: [
    'trackingnumber', 'trackingno', 'tracking', 'waybill', 'waybillno', 'waybillnumber', 'invoiceno', 'invoicenumber', '운송장번호', '운송장', '송장번호', '송장', '등기번호',
  ],
};

/** Carriers whose numbers have a known count of digits, by how their names begin. @type {[RegExp, number[]][]} */
const digits = [
  [/^(cj|씨제이|대한통운|krcj)/, [10, 12]],
  [/^(hanjin|한진|krhanjin)/, [10, 11, 12, 14]],
  [/^(lotte|hyundai|롯데|현대|krlotte)/, [10, 11, 12]],
  [/^(epost|registpost|post|korea|우체국택배|우편등기|등기|우체국$|우체국등기|krepost)/, [13]],
  [/^(logen|kgb|로젠|krlogen)/, [11]],
];

/** same is a name without case, spaces and punctuation. @param {string} text */
const same = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/**
 * @typedef {object} Entry a row of a carrier file
 * @property {string} id for tables
 * @property {number} number of the row in the file
 * @property {string[]} cells as they stand in the file
 * @property {string} fulfillmentOrder id, or ''
 * @property {string} orderNumber
 * @property {string} carrier as it is written in the file
 * @property {string} trackingNumber as the shop keeps it; '' for none
 * @property {string} problem why the row cannot be read; '' for no reason
 * @property {string} [counts] how many digits the numbers of the carrier have
 */

/**
 * entriesOf reads the rows below the heading. missing names the column without which nothing can be read.
 * @param {SheetRow[]} rows
 * @returns {{ head: string[], entries: Entry[], missing: Column | undefined }}
 */
export function entriesOf(rows) {
  const [head, ...rest] = rows;
  const titles = head?.cells.map(same) ?? [];
  const at = (/** @type {Column} */ column) => names[column].map((name) => titles.indexOf(name)).find((i) => i >= 0) ?? -1;
  const places = { fulfillmentOrder: at('fulfillmentOrder'), orderNumber: at('orderNumber'), carrier: at('carrier'), trackingNumber: at('trackingNumber') };
  const nameless = places.fulfillmentOrder < 0 && places.orderNumber < 0;
  const missing = places.trackingNumber < 0 ? 'trackingNumber' : places.carrier < 0 ? 'carrier' : nameless ? 'fulfillmentOrder' : undefined;
  return { head: head?.cells ?? [], entries: missing ? [] : rest.map((row) => entryOf(row, places)), missing };
}

/**
 * @param {SheetRow} row
 * @param {Record<Column, number>} at
 * @returns {Entry}
 */
function entryOf({ number, cells, formulas }, at) {
  const cell = (/** @type {Column} */ column) => (cells[at[column]] ?? '').trim().replace(/^'/, '').trim();
  const formula = Object.values(at).some((i) => formulas[i]);
  const written = cell('trackingNumber').normalize('NFKC').toUpperCase();
  const carrier = cell('carrier');
  const counts = digits.find(([name]) => name.test(same(carrier)))?.[1];
  const trackingNumber = (counts ? written.replace(/\.0*$/, '') : written).replace(/[\s\p{Pd}]/gu, '');
  const named = { fulfillmentOrder: cell('fulfillmentOrder').toLowerCase(), orderNumber: cell('orderNumber') };
  const entry = { id: String(number), number, cells, ...named, carrier, trackingNumber };
  const problem = written === '' && !formulas[at.trackingNumber] ? '' : problemOf(entry, formula, counts);
  return { ...entry, problem, ...(counts && { counts: counts.join(', ') }) };
}

/**
 * @param {Omit<Entry, 'problem'>} entry
 * @param {boolean} formula
 * @param {number[] | undefined} counts
 */
function problemOf({ fulfillmentOrder, orderNumber, carrier, trackingNumber }, formula, counts) {
  if (formula) return 'formula';
  if (!fulfillmentOrder && !orderNumber) return 'nameless';
  if (!carrier) return 'noCarrier';
  if (counts && /^\d(\.\d+)?E\+?\d+$/.test(trackingNumber)) return 'rounded';
  if (counts && !(/^\d+$/.test(trackingNumber) && counts.includes(trackingNumber.length))) return 'digits';
  return /^[A-Z0-9]+$/.test(trackingNumber) ? '' : 'letters';
}
