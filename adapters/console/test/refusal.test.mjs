import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommerceSDKError } from '../files/vendor/sdk.js';

globalThis.navigator ??= { languages: ['ko-KR'] }; // Node has none up to 20
const { language, words } = await import('../files/base/words.js');
const { refusalOf } = await import('../files/base/refusal.js');
language.value = 'ko';
await words('common');

/** refused is what the console makes of a refusal. */
function refused(message, facts) {
  return refusalOf(new CommerceSDKError(message, { retryable: false, status: 400, code: 'BAD_USER_INPUT', ...facts }));
}

test('a refusal of fields says how many there are, and alone what is wrong with them', () => {
  const { text, alone, fields, id } = refused('입력한 내용에 잘못된 곳이 있습니다.', {
    reason: 'validation_failed', requestId: '01a2',
    fields: [
      { field: 'name', message: '필수 항목입니다.' },
      { field: 'price', message: '0 이상으로 입력하세요.' },
      { field: 'price', message: '숫자를 입력하세요.' },
    ],
  });
  assert.equal(text, '고쳐야 할 항목이 2개 있습니다. 표시된 내용을 확인하세요.');
  assert.equal(alone, '필수 항목입니다. 0 이상으로 입력하세요.');
  assert.deepEqual(fields, { name: '필수 항목입니다.', price: '0 이상으로 입력하세요.' });
  assert.equal(id, undefined, 'nobody has to ask about what the fields say');
});

test('a refusal of the whole is told as the shop tells it', () => {
  const message = '비밀번호가 틀렸습니다.';
  const wrong = refused(message, { reason: 'password_wrong', fields: [{ field: 'password', message }] });
  assert.deepEqual([wrong.text, wrong.alone, wrong.fields, wrong.unknown], [message, message, { password: message }, false]);
});

test('what the shop did not answer is told by the page', () => {
  const silent = refused('The shop could not be reached.', { reason: 'network_error', code: undefined, status: 0, retryable: true });
  assert.equal(silent.text, '서버에 연결할 수 없습니다. 인터넷 연결을 확인하고 다시 시도하세요.');
  assert.equal(silent.unknown, true);
});

test('what was refused all or nothing says alone why', () => {
  const { text, alone } = refused('아무것도 변경하지 않았습니다.', {
    reason: 'bulk_refused', fields: [{ field: 'patches.1.data.parent', message: '필수 항목입니다.' }],
  });
  assert.equal(text, '아무것도 변경하지 않았습니다.');
  assert.equal(alone, '필수 항목입니다.');
});
