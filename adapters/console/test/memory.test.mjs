import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { keepWorkOf, recall, remember, work } from '../files/base/memory.js';

beforeEach(() => {
  globalThis.localStorage = Object.create({
    getItem(name) { return this[name] ?? null; },
    setItem(name, value) { this[name] = value; },
    removeItem(name) { delete this[name]; },
  });
  keepWorkOf('ann');
});

test('who signs out leaves nothing in the browser of what they typed, however late it comes', () => {
  remember('form ann shop live orders 1', 'an address');
  remember('draft ann shop live new', 'a customer');
  remember('theme', 'dark');
  assert.equal(work().length, 2);
  keepWorkOf('');
  remember('draft ann shop live new', 'a customer');
  assert.deepEqual(Object.keys(localStorage), ['cartwright-console:theme']);
  keepWorkOf('ann');
  remember('form ann shop live orders 1', 'another');
  assert.equal(recall('form ann shop live orders 1'), 'another');
});

test('who comes back after the session ended finds their work, and somebody else does not', () => {
  remember('form ann shop live orders 1', 'an address');
  keepWorkOf('ann');
  assert.equal(recall('form ann shop live orders 1'), 'an address');
  keepWorkOf('bob');
  assert.deepEqual([work(), Object.keys(localStorage)], [[], []]);
});

test('what other pages of the server keep is left alone, and nothing is kept where nothing can be', () => {
  localStorage.setItem('form of the shop front', 'x');
  keepWorkOf('bob');
  assert.deepEqual(Object.keys(localStorage), ['form of the shop front']);
  Object.defineProperty(globalThis, 'localStorage', { get: () => { throw new Error('denied'); }, configurable: true });
  remember('form bob shop live x', 'typed');
  assert.equal(recall('form bob shop live x'), 'typed');
  keepWorkOf('');
  assert.equal(recall('form bob shop live x'), null);
  Object.defineProperty(globalThis, 'localStorage', { value: undefined, writable: true, configurable: true });
});
