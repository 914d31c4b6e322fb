import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passkeysWork } from '../files/screens/login/passkey.js';

test('passkeys are offered at an address with a name alone, for browsers bind them to it', () => {
  globalThis.PublicKeyCredential = /** @type {any} */ ({ parseRequestOptionsFromJSON: () => null });
  const at = (hostname) => {
    globalThis.location = /** @type {any} */ ({ hostname });
    return passkeysWork();
  };
  for (const name of ['localhost', 'shop.example', 'till2', '4u.example']) assert.equal(at(name), true, name);
  for (const address of ['127.0.0.1', '10.0.0.8', '[::1]']) assert.equal(at(address), false, address);
});
