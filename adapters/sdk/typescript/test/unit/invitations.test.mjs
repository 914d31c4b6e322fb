import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryStore } from '@cartwright/sdk';
import { answer, broken, client, clientKey, failure, refusal, shop } from './fake.mjs';

const token = 'inv_1.2.three/four';
const accepted = answer({ message: 'Invitation accepted.', token: 'h.e30.s', exp: 1, user: { id: 'u1' } });

test('an invitation is shown by its token alone', async () => {
  const s = shop(answer({ email: 'eve@shop.test', role: 'tenant-editor' }));
  assert.equal((await client(s).invitations.retrieve({ token })).email, 'eve@shop.test');
  const [{ url, method, body, headers }] = s.seen;
  assert.deepEqual([method, url, body], ['GET', 'https://shop.test/api/invitations/inv_1.2.three%2Ffour', null]);
  assert.deepEqual(headers, { 'X-Client-Key': clientKey, Accept: 'application/json' });
});

test('it is accepted with a password, or as somebody who is logged in, and neither is kept', async () => {
  const s = shop(accepted);
  const [storage, pending] = [memoryStore(), memoryStore()];
  const { invitations } = client(s, { storage, pending });
  assert.equal((await invitations.accept({ token, password: 'correct horse' })).user.id, 'u1');
  assert.equal((await invitations.accept({ token, userToken: 'h.e30.s' })).user.id, 'u1');
  assert.deepEqual(
    s.seen.map(({ method, url, body, headers, key }) => [method, url.split('/').at(-1), body, headers.Authorization, headers['X-Client-Key'], key]),
    [
      ['POST', 'accept', '{"password":"correct horse"}', undefined, clientKey, undefined],
      ['POST', 'accept', '{}', 'Bearer h.e30.s', undefined, undefined],
    ],
  );
  assert.deepEqual([await storage.keys(''), await pending.keys('')], [[], []]);
});

test('whether it was accepted is not found out by accepting it again', async () => {
  const s = shop(broken, accepted);
  assert.equal((await failure(client(s).invitations.accept({ token, password: 'correct horse' }))).reason, 'network_error');
  assert.equal(s.seen.length, 1);
});

test('a refusal names its reason, and what is no token is not sent', async () => {
  const s = shop(refusal(400, 'token_invalid'));
  const { invitations } = client(s);
  assert.equal((await failure(invitations.retrieve({ token }))).reason, 'token_invalid');
  for (const input of [undefined, {}, { token: '' }, { token: '..' }, { token: 7 }]) {
    assert.equal((await failure(invitations.retrieve(input))).reason, 'invalid_request');
    assert.equal((await failure(invitations.accept(input))).reason, 'invalid_request');
  }
  assert.equal(s.seen.length, 1);
});
