import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesOf, partsOf, tongueOf } from '../files/base/address.js';

const us = ['recipientName', 'company', 'phone', 'address1', 'address2', 'city', 'province', 'postalCode'].map((name) => ({
  name, options: name === 'province' ? [{ value: 'OR', label: 'Oregon' }] : [],
}));

test('an address is read as its country writes it', () => {
  const ann = { recipientName: 'Ann', address1: '1 Main St', city: 'Portland', province: 'OR', postalCode: '97201', country: 'US', deliveryNote: 'Ring' };
  assert.deepEqual(linesOf(ann, us), ['Ann', '1 Main St', 'Portland, Oregon 97201']);
  assert.deepEqual(linesOf({ recipientName: 'Kim', postalCode: '04524', address1: 'Sejong-daero 110', address2: '3F' }), ['Kim', '04524 Sejong-daero 110', '3F']);
  assert.deepEqual(linesOf({ postalCode: '04524', address1: 'Sejong-daero 110' }), ['04524 Sejong-daero 110']);
});

test('an address is read in the language of its country if it is written in its letters', () => {
  assert.equal(tongueOf({ country: 'JP', address1: '神宮前1-2-3', city: '渋谷区' }), 'ja');
  assert.equal(tongueOf({ country: 'JP', address1: '1-2-3 Jingumae', city: 'Shibuya-ku' }), undefined);
  assert.equal(tongueOf({ country: 'US', address1: '12 Main St 김', city: 'Portland' }), undefined);
});

test('what an address has beside the parts of its country can be seen and taken away', () => {
  const names = (address) => partsOf(address, us).map(({ name }) => name);
  assert.deepEqual(names({ district: 'Shibuya' }).at(-1), 'district');
  assert.ok(!names({}).includes('district'));
});
