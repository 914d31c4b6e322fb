import assert from 'node:assert/strict';
import { test } from 'node:test';
import './screen.mjs';

const { recipient } = await import('../files/screens/mails/mails.js');

test('a mail shows the address that it goes to, and a message the number', () => {
  assert.equal(recipient({ channel: 'mail', recipient: 'ada@example.com', recipientPhone: null }), 'ada@example.com');
  assert.equal(recipient({ channel: 'message', recipient: null, recipientPhone: '+821012345678' }), '+821012345678');
});
