import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amountIn } from '../files/base/amount.js';
import { bodyOf, draftOf, missing, titleOf, withCombinations, withValue, withoutOption, withoutValue } from '../files/screens/products/draft.js';
import { moved, treeOf } from '../files/screens/categories/tree.js';
import { pasted, rangeOf, textOf, written } from '../files/parts/cells_block.js';

const whole = {
  id: 'p', revision: 3, name: 'Shirt', price: 10,
  options: [{ id: 'o1', revision: 1, name: 'Size', values: [{ id: 's', label: 'S', slug: 's' }, { id: 'm', label: 'M', slug: 'm' }] }],
  variants: ['S', 'M'].map((value, i) => ({
    id: `v${i}`, revision: 1, title: value, sku: `T-${value}`, price: null, stock: 5, prices: [], optionValues: [{ option: 'Size', value }],
  })),
};

test('what was read is sent back as it was, without the stock, and titles are made anew', () => {
  const draft = draftOf(/** @type {any} */ (whole));
  const body = bodyOf({ options: draft.options, variants: draft.variants }, draft.options, draft);
  assert.deepEqual(body.options, whole.options);
  assert.deepEqual(body.variants, whole.variants.map(({ stock, ...v }) => ({ ...v, title: null })));
});

test('a value that is renamed stays that of its variants', () => {
  const draft = draftOf(/** @type {any} */ (whole));
  const options = draft.options.map((o) => ({ ...o, name: 'Fit', values: o.values.map((v) => (v.key === 's' ? { ...v, label: 'Small' } : v)) }));
  const body = bodyOf({ variants: draft.variants }, options, draft);
  assert.deepEqual(body.variants[0].optionValues, [{ option: 'Fit', value: 'Small' }]);
  assert.equal(body.variants[0].id, 'v0');
});

test('a value more makes a variant for all else that can be chosen', () => {
  const draft = draftOf(/** @type {any} */ (whole));
  const color = { key: 'c', name: 'Color', values: [] };
  const first = withValue({ options: [...draft.options, color], variants: draft.variants }, 'c', 'Red');
  assert.deepEqual(first.variants.map((v) => [v.id, titleOf(v, first.options)]), [['v0', 'S / Red'], ['v1', 'M / Red']]);
  const second = withValue(first, 'c', 'Blue');
  assert.deepEqual(second.variants.map((v) => titleOf(v, second.options)), ['S / Red', 'S / Blue', 'M / Red', 'M / Blue']);
  assert.deepEqual(missing(second.options, second.variants), []);
  const [blue] = second.options[1]?.values.slice(1) ?? [];
  const less = withoutValue(second, 'c', blue?.key ?? '');
  assert.deepEqual(less.variants.map((v) => v.id), ['v0', 'v1']);
  assert.deepEqual(withoutOption(second, 'o1').variants.map((v) => v.id), ['v0', undefined]);
});

test('combinations that are missing are made in order', () => {
  const { options, variants } = draftOf(/** @type {any} */ (whole));
  const one = variants.slice(1);
  const more = missing(options, one);
  assert.deepEqual(withCombinations(options, one, more).map((v) => titleOf(v, options)), ['S', 'M']);
});

test('numbers are read as they are written in sheets', () => {
  assert.deepEqual(['12,000', '₩ 900', '10.50', '−5%', '1,5', 'cheap', '', null, 7].map(amountIn), [12000, 900, 10.5, -5, '1,5', 'cheap', '', null, 7]);
});

/** @type {any[]} */
const columns = [
  { key: 'title', kind: 'read', get: (/** @type {any} */ r) => r.title },
  ...['sku', 'price', 'tracked'].map((key, i) => ({
    key, kind: ['text', 'number', 'check'][i], get: (/** @type {any} */ r) => r[key], set: (/** @type {any} */ r, /** @type {any} */ v) => ({ ...r, [key]: v }),
  })),
];
const rows = [1, 2, 3].map((n) => ({ title: `r${n}`, sku: `s${n}`, price: n, tracked: false }));

test('a block is pasted where the selection begins, and what does not fit is counted', () => {
  const at = rangeOf({ r: 1, c: 1 }, { r: 1, c: 1 });
  const done = pasted(rows, columns, at, 'A\t10\tTRUE\n"B ""x"""\t20\tno\nC\t30\t1\n');
  assert.deepEqual(done.rows[1], { title: 'r2', sku: 'A', price: 10, tracked: true });
  assert.deepEqual(done.rows[2], { title: 'r3', sku: 'B "x"', price: 20, tracked: false });
  assert.equal(done.cut, 3);
});

test('one value fills what is selected, one line all its lines', () => {
  const all = rangeOf({ r: 0, c: 2 }, { r: 2, c: 2 });
  assert.deepEqual(pasted(rows, columns, all, '9').rows.map((r) => r.price), [9, 9, 9]);
  assert.deepEqual(pasted(rows, columns, { ...all, left: 1, right: 1 }, 'Z\t4').rows.map((r) => [r.sku, r.price]), [['Z', 4], ['Z', 4], ['Z', 4]]);
});

test('what is only read stays, and what is empty is nothing', () => {
  assert.equal(written(columns[0], rows[0], 'x'), rows[0]);
  assert.equal(written(columns[2], rows[0], '').price, null);
  assert.equal(written(columns[2], rows[0], '1,5').price, '1,5');
  assert.equal(textOf(columns[3], { tracked: true }), 'TRUE');
});

test('a category moves among its siblings, in and out', () => {
  const docs = [['a', null, 1], ['b', null, 2], ['c', 'b', null]].map(([id, parent, position]) => ({ id, name: id, parent, position, revision: 1 }));
  const tree = treeOf(docs);
  const at = (/** @type {string} */ id) => /** @type {any} */ ([...tree, ...tree.flatMap((n) => n.children)].find((n) => n.id === id));
  assert.deepEqual(moved(tree, at('b'), 'up').map((p) => [p.id, p.data]), [['b', { position: 1 }], ['a', { position: 2 }]]);
  assert.deepEqual(moved(tree, at('b'), 'in').map((p) => [p.id, p.data]), [['b', { position: 1, parent: 'a' }]]);
  assert.deepEqual(moved(tree, at('c'), 'out').map((p) => [p.id, p.data]), [['c', { position: 3, parent: null }]]);
  assert.deepEqual(moved(tree, at('a'), 'up'), []);
});

test('a number that was emptied is sent as none', () => {
  const changes = { price: '12,000', costPrice: '', discount: ' ', lowStockThreshold: '3' };
  assert.deepEqual(bodyOf(changes, [], /** @type {any} */ ({})), { price: 12000, costPrice: null, discount: null, lowStockThreshold: 3 });
});
