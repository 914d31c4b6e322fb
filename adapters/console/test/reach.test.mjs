import assert from 'node:assert/strict';
import { test } from 'node:test';

globalThis.navigator ??= { languages: ['en'] }; // Node has none up to 20
globalThis.location ??= /** @type {any} */ ({ pathname: '/console/test', origin: 'http://shop.example', search: '' });
const { mailTo } = await import('../files/parts/value.js');

test('a link to an address has one recipient and nothing else, whatever the address says', () => {
  for (const email of ['ann@shop.example', 'a?bcc=eve@evil.example', 'a&cc=b@shop.example', 'a%0abcc%3ab@shop.example', 'a#b@shop.example']) {
    const { pathname, search, hash } = new URL(mailTo(email));
    assert.deepEqual([decodeURIComponent(pathname), search, hash], [email, '', '']);
  }
});
