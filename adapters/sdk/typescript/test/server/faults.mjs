// Plays one change under every fault of the network and looks at what the server did: the log of events, which has an entry
// for each effect, must be that of the same change without a fault.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryStore } from '@cartwright/sdk';
import { FaultProxy, refused, until, watched } from '../stage.mjs';

// A timeout that no test waits for: its timer ends when the test says so.
const endless = 3_600_000;
let expire;
const setTimer = globalThis.setTimeout;
globalThis.setTimeout = (work, ms, ...args) => {
  if (ms !== endless) return setTimer(work, ms, ...args);
  expire = work;
  return setTimer(() => {}, 0);
};

/** Bench is a client whose calls go straight to the server, or through a fault proxy while a change is played. */
export class Bench {
  /** make is createClient or createServerClient with what else it needs. */
  static async of(shop, make) {
    const bench = new Bench();
    bench.shop = shop;
    bench.proxy = await FaultProxy.start();
    bench.straight = true;
    const through = (url, init) => fetch(bench.straight ? url : url.replace(shop.baseUrl, bench.proxy.url), init);
    const client = make({
      clientKey: shop.testClientKey,
      baseUrl: shop.baseUrl,
      pending: memoryStore(),
      retry: { baseDelay: 1 },
      fetch: through,
    });
    Object.assign(bench, watched(client));
    return bench;
  }

  /** call calls a helper by its name below `commerce`, or of the collection of categories. */
  call(name, input, options) {
    const [group, helper] = name.split(/\.(?=[^.]*$)/);
    if (group === 'collections') return this.client.collections.from('categories')[helper](...input, options);
    const at = group.split('.').reduce((node, key) => node[key], this.client.commerce);
    return at[helper](input, options);
  }

  /**
   * played arranges a change, lets the server hear of it under a fault, and answers what came of it. arrange answers the input,
   * or a function that does, for what the server might act upon by itself: it is called last, and its effects count.
   */
  async played(name, arrange, happen) {
    const arranged = await arrange();
    const from = await this.shop.now();
    const input = typeof arranged === 'function' ? await arranged() : arranged;
    await this.proxy.forget();
    this.straight = false;
    try {
      const answer = await happen((options) => this.call(name, input, options));
      const requests = await this.proxy.requests();
      assert.deepEqual(await this.client.pending.list(), [], 'an answered change is settled');
      for (const r of requests) assert.deepEqual([r.key, r.body, r.path], [requests[0].key, requests[0].body, requests[0].path]);
      const { events } = await this.shop.told(from);
      const effects = events.filter((e) => e.collection !== 'notifications'); // of which the team is told later, by the server itself
      return { answer, requests, effects: effects.map((e) => `${e.collection} ${e.operation}`).sort() };
    } finally {
      this.straight = true;
    }
  }
}

/** roads are what can happen between a client and the server: what is sent, in the proxy's words, and how it went. */
const roads = {
  'the answer is dropped': { fault: { kind: 'drop' }, want: ['drop', ''], replayed: true },
  'the answer is cut': { fault: { kind: 'truncate' }, want: ['truncate', ''], replayed: true },
  'the connection is reset': { fault: { kind: 'reset' }, want: ['reset', ''], replayed: false },
  'a gateway says 503, then it works': {
    fault: { kind: 'status', status: 503, body: 'Service Unavailable' },
    want: ['status', ''],
    replayed: false,
  },
  'the answer is dropped and a gateway says 502': {
    fault: { kind: 'drop' },
    then: { kind: 'status', status: 502, body: '<html>' },
    want: ['drop', 'status', ''],
    replayed: true,
  },
};

/** eachFault tests that a change has one effect, under one key and with the same bytes, whatever the network does. */
export function eachFault(getBench, name, arrange) {
  test(`${name} has one effect`, async (t) => {
    const bench = getBench();
    const play = (happen) => bench.played(name, arrange, happen);
    const plain = await play((call) => call());
    assert.equal(plain.requests.length, 1);
    assert.match(plain.requests[0].key, /^ik_[0-9A-Za-z]{32}$/);
    assert.ok(plain.effects.length > 0, 'it has an effect');
    for (const [road, { fault, then, want, replayed }] of Object.entries(roads)) {
      await t.test(road, async () => {
        const got = await play(async (call) => {
          await bench.proxy.next(fault);
          if (then) await bench.proxy.next(then);
          return call();
        });
        assert.deepEqual(
          got.requests.map((r) => r.fault ?? ''),
          want,
        );
        assert.equal(got.requests.at(-1).replayed ?? false, replayed);
        assert.deepEqual(got.effects, plain.effects);
        assert.deepEqual(Object.keys(got.answer), Object.keys(plain.answer));
      });
    }
    await t.test('it is delayed beyond the timeout and arrives after its repetition', async () => {
      const got = await play(async (call) => {
        const delay = await bench.proxy.next({ kind: 'delay' });
        const first = call({ timeout: endless });
        await delay.struck();
        expire();
        await refused(first, 'timeout');
        const [left, ...others] = await bench.client.pending.list();
        assert.deepEqual([left.operation, left.unknown, others], [name, true, []]);
        const answer = await call();
        await delay.release();
        await until(async () => (await bench.proxy.requests())[0].answer);
        return answer;
      });
      assert.deepEqual(
        got.requests.map((r) => [r.fault ?? '', r.replayed ?? false]),
        [
          ['delay', true],
          ['', false],
        ],
      );
      assert.equal(got.requests[0].answer, got.requests[1].answer);
      assert.deepEqual(got.effects, plain.effects);
    });
  });
}
