import assert from 'node:assert/strict';
import { test } from 'node:test';
import { business } from '../../example/business.js';

const info = {
  locale: 'ko-KR', businessName: '새벽상회', representative: '김민지', registrationNumber: '220-81-62517', mailOrderNumber: null,
  address: { postalCode: '06236', address1: '테헤란로 1', address2: null }, phone: '02-123-4567', email: 'hello@shop.example',
};

test('the foot of the example tells who is behind the shop, in the language of the shop', () => {
  assert.deepEqual(business(info), [
    '새벽상회 · 대표자 김민지 · 사업자등록번호 220-81-62517', '06236 테헤란로 1 · 전화 02-123-4567 · hello@shop.example',
  ]);
  assert.match(business({ ...info, locale: 'fr' })[0], /Representative 김민지 · Business registration 220-81-62517$/);
});

test('what a shop does not tell is left out', () => {
  assert.deepEqual(business({ locale: 'en', businessName: 'Tea', address: null }), ['Tea']);
  assert.deepEqual(business(null), []);
});
