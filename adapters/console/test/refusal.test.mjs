import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommerceSDKError } from '../files/vendor/sdk.js';

globalThis.navigator ??= { languages: ['ko-KR'] }; // Node has none up to 20
const { language, words } = await import('../files/base/words.js');
const { because, refusalOf, sentence } = await import('../files/base/refusal.js');
language.value = 'ko';
await words('common', 'reasons', 'problems');

/** refused is what the console makes of a refusal. */
function refused(message, facts) {
  return refusalOf(new CommerceSDKError(message, { retryable: false, status: 400, ...facts }));
}

test('a sentence is found as it is, by what varies in it, and is shown as it came otherwise', () => {
  for (const [english, korean] of [
    ['This field is required.', '필수 항목입니다.'],
    ['This field takes at most 40000 characters.', '40000자 이내로 입력하세요.'],
    ['This field takes one of: draft, published.', '다음 중 하나여야 합니다: draft, published'],
    ['KRW has 0 fraction digits.', '소수점 아래 0자리까지만 쓸 수 있는 통화입니다(KRW).'],
    ['This is not a number.', '숫자를 입력하세요.'],
    ['This is not the secret key, "sk_…".', '형식이 올바르지 않습니다. PG사 관리자 화면의 값을 그대로 붙여 넣으세요.'],
    ['The first row needs this column. Its heading is sku, SKU or 상품코드.', '첫 줄에 이 열이 필요합니다. 열 이름: 상품코드(sku, SKU)'],
    ['Variants still use the value "a\nb {}"; change or delete them first.', '이 옵션값을 쓰는 옵션이 있습니다: "a\nb {}". 그 옵션을 먼저 바꾸거나 삭제하세요.'],
    ['A sentence of tomorrow has {}.', 'A sentence of tomorrow has {}.'],
  ]) {
    assert.equal(sentence(english), korean);
  }
});

test('a refusal of fields says how many there are, and alone what is wrong with them', () => {
  const { text, alone, fields } = refused('The request has invalid fields.', {
    reason: 'validation_failed',
    fields: [
      { field: 'name', message: 'This field is required.' },
      { field: 'price', message: 'This field takes 0 or more.' },
      { field: 'price', message: 'This is not a number.' },
    ],
  });
  assert.equal(text, '고쳐야 할 항목이 2개 있습니다. 표시된 내용을 확인하세요.');
  assert.equal(alone, '필수 항목입니다. 0 이상으로 입력하세요.');
  assert.deepEqual(fields, { name: '필수 항목입니다.', price: '0 이상으로 입력하세요.' });
});

test('a refusal of the whole is told in the words of its reason, if they have their facts', () => {
  const wrong = refused('The password is wrong.', { reason: 'password_wrong', fields: [{ field: 'password', message: 'The password is wrong.' }] });
  assert.deepEqual([wrong.text, wrong.alone, wrong.fields], ['비밀번호가 틀렸습니다.', '비밀번호가 틀렸습니다.', { password: '비밀번호가 틀렸습니다.' }]);
  const long = 'A value is too long to be searched.';
  assert.equal(refused(long, { reason: 'validation_failed', fields: [{ field: 'body', message: long }] }).text, '너무 긴 값이 있습니다. 줄여서 입력하세요.');
  assert.equal(refused('You have too many views.', { reason: 'views_too_many', data: { limit: 50 } }).text, '저장한 보기는 50개까지 만들 수 있습니다. 쓰지 않는 것을 먼저 지우세요.');
  assert.equal(refused('A reason of tomorrow.', { reason: 'of_tomorrow' }).text, 'A reason of tomorrow.');
});

test('one refused among many is told in words, without holes where facts are missing', () => {
  assert.equal(because({ reason: 'validation_failed', message: 'This field is required.' }), '필수 항목입니다.');
  const many = { reason: 'views_too_many', message: 'You have too many views.' };
  assert.equal(because({ ...many, data: { limit: 50 } }), '저장한 보기는 50개까지 만들 수 있습니다. 쓰지 않는 것을 먼저 지우세요.');
  assert.equal(because(many), 'You have too many views.');
  assert.equal(because({ reason: 'of_tomorrow', message: 'A reason of tomorrow.' }), 'A reason of tomorrow.');
});

test('what was refused all or nothing says alone why', () => {
  const { text, alone } = refused('Nothing was changed, since not every record can be changed as asked.', {
    reason: 'bulk_refused', fields: [{ field: 'patches.1.data.parent', message: 'This field is required.' }],
  });
  assert.match(text, /아무것도 변경하지 않았습니다/);
  assert.equal(alone, '필수 항목입니다.');
});
