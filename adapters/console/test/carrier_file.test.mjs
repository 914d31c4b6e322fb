import { deepEqual, equal, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { entriesOf } from '../files/screens/carriers/columns.js';
import { readSheet } from '../files/screens/carriers/sheet.js';

/** entries are the rows of a file with these bytes, each by its number and what is wrong with it. */
async function entries(...bytes) {
  return entriesOf(await readSheet(new File(bytes, 'a.csv'))).entries.map((e) => [e.number, e.orderNumber, e.trackingNumber, e.problem]);
}

test('rows are counted as the shop counts them', async () => {
  const text = '\uFEFF주문번호,택배사,송장번호\r\n\r\nA-1,CJ대한통운,"1234-5678-9012"\r\n"two\nlines",cj,123456789012\r\nA-3,cj,\r\n';
  deepEqual(await entries(text), [[3, 'A-1', '123456789012', ''], [4, 'two\nlines', '123456789012', ''], [5, 'A-3', '', '']]);
});

test('what a row cannot mean is told', async () => {
  const rows = ['A-1,cj,12345', ',cj,123456789012', 'A-2,,123456789012', 'A-3,cj,=A1', 'A-4,cj,1.23E+11', 'A-5,etc,a/b', "'A-6,로젠,'01234567890"];
  const found = await entries(`orderNumber,carrier,trackingNumber\n${rows.join('\n')}`);
  deepEqual(found.map(([, , , problem]) => problem), ['digits', 'nameless', 'noCarrier', 'formula', 'rounded', 'letters', '']);
  deepEqual(found.at(-1).slice(1, 3), ['A-6', '01234567890']);
});

test('text without Unicode is read as CP949', async () => {
  const head = [0xc1, 0xd6, 0xb9, 0xae, 0xb9, 0xf8, 0xc8, 0xa3]; // 주문번호
  deepEqual(await entries(new Uint8Array(head), ';carrier;trackingNumber\nA;dhl;x1'), [[2, 'A', 'X1', '']]);
});

test('what is no table is refused', async () => {
  await rejects(readSheet(new File([new Uint8Array([1, 0, 2])], 'a.xls')));
  await rejects(readSheet(new File(['PK\u0003\u0004'], 'a.xlsx')));
  equal(entriesOf(await readSheet(new File(['carrier,orderNumber\n'], 'a.csv'))).missing, 'trackingNumber');
});
