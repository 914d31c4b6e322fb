import { day } from '../../base/format.js';

/** sample is a number as an order of today could have it. @param {string} format */
export function sample(format) {
  const [year = '', month = '', date = ''] = day(new Date()).split('-');
  const short = year.slice(2);
  /** @type {Record<string, string>} */
  const parts = { YYYY: year, YY: short, MM: month, DD: date, YYYYMMDD: year + month + date, YYMMDD: short + month + date, SEQ: '0042', RANDOM: '480715' };
  return format.replace(/{(\w+)}/g, (whole, name) => parts[name] ?? whole);
}
