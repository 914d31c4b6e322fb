import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openIn } from './page.mjs';

openIn('ko');
const { business } = await import('../../example/business.js');

const info = {
  locale: 'en', businessName: '새벽상회', representative: '김민지', registrationNumber: '220-81-62517', mailOrderNumber: null,
  address: { postalCode: '06236', address1: '테헤란로 1', address2: null }, phone: '02-123-4567', email: 'hello@shop.example',
};

test('the foot of the example tells who is behind the shop, in the language of the page', () => {
  assert.deepEqual(business(info), [
    '새벽상회 · 대표자 김민지 · 사업자등록번호 220-81-62517', '06236 테헤란로 1 · 전화 02-123-4567 · hello@shop.example',
  ]);
});

test('what a shop does not tell is left out', () => {
  assert.deepEqual(business({ businessName: 'Tea', address: null }), ['Tea']);
  assert.deepEqual(business(null), []);
});
