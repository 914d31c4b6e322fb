// What the tests against the real server stand on: a shop of their own, fault proxies, and calls without the SDK, so that
// the SDK is not its own witness. The server is started by cmd/cartwright/sdk_typescript_test.go.
import assert from 'node:assert/strict';

const stage = process.env.STAGE;
if (!stage) throw new Error('these tests are run by: go test -run TypeScript ./cmd/cartwright/program');

let serial = 0;

/** unique is a text that no other test uses. */
export const unique = (word) => `${word}-${process.pid}-${++serial}`;

/** address is one that parcels reach. */
export const address = {
  recipientName: 'Kim Jiwoo',
  phone: '010-1234-5678',
  postalCode: '06000',
  address1: 'Gangnam 1',
  address2: '',
  deliveryNote: '',
  country: 'KR',
};

export const redirectUrl = 'https://shop.example/back';

/** until polls what is about to become true, on a machine however busy, and answers it. */
export async function until(look, what = 'it did not happen') {
  for (const end = Date.now() + 120_000; Date.now() < end; ) {
    const found = await look();
    if (found) return found;
    await new Promise((later) => setTimeout(later, 10));
  }
  throw new Error(what);
}

/** Shop is a tenant of its own, and what its staff does without the SDK. */
export class Shop {
  static async found(word) {
    const answer = await fetch(`${stage}/shops?name=${encodeURIComponent(unique(word))}`, { method: 'POST' });
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    return Object.assign(new Shop(), JSON.parse(text));
  }

  /** ask sends a call with the test secret key, or with the headers, and answers {status, body, position}: where the events show it. */
  async ask(method, path, body, headers = { 'X-API-Key': this.testSecretKey }) {
    const init = { method, headers: { ...headers } };
    if (body !== undefined) {
      init.headers['Content-Type'] = 'application/json';
      init.body = JSON.stringify(body);
    }
    const answer = await fetch(this.baseUrl + path, init);
    const text = await answer.text();
    return { status: answer.status, body: text && JSON.parse(text), position: Number(answer.headers.get('X-Event-Sequence')) };
  }

  /** must is ask for what has to work; it answers the body. */
  async must(method, path, body, headers) {
    const { status, body: said } = await this.ask(method, path, body, headers);
    assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(said)}`);
    return said;
  }

  /** product puts something on the shelf: {product, variant}. */
  async product(fields = {}) {
    const { doc } = await this.must('POST', '/api/products', {
      name: unique('Mug'),
      price: 12000,
      status: 'published',
      stock: 5000,
      ...fields,
    });
    const { docs } = await this.must('GET', `/api/product-variants?where[product][equals]=${doc.id}`);
    return { product: doc, variant: docs[0].id };
  }

  /** gift is a product that costs nothing and is not sent. */
  gift() {
    return this.product({ name: unique('Gift'), price: 0, stock: undefined, variants: [{ title: 'Card', kind: 'digital', stock: 5000 }] });
  }

  /** discount makes a code that takes 1000 off. */
  async discount(fields = {}) {
    const code = unique('CODE').replace(/\W/g, '').toUpperCase();
    const { doc } = await this.must('POST', '/api/discounts', {
      code,
      title: code,
      type: 'fixed_amount',
      value: 1000,
      currency: 'KRW',
      combinable: true,
      ...fields,
    });
    return doc;
  }

  /** customer registers one by the API: {email, password, id}. */
  async customer() {
    const email = `${unique('kim')}@example.com`;
    const password = 'correct horse battery staple';
    const { customer } = await this.must(
      'POST',
      '/api/customers/register',
      { email, password, name: 'Kim' },
      { 'X-Client-Key': this.testClientKey },
    );
    return { email, password, id: customer.id };
  }

  /** pay does at the sandbox what a person does on the payment page. */
  async pay(what, outcome = 'approve', webhooks = 'never') {
    return this.must('POST', '/sandbox/authorize', { ...what, outcome, webhooks }, {});
  }

  /** authorize pays a checkout by a payment that is captured later, at an account of the shop: {order}. */
  async authorize(paymentSessions, account, checkoutId) {
    const collects = (capture) => this.must('PATCH', `/api/provider-connections/${account.id}`, { capture });
    await collects('manual');
    const { paymentSession, action } = await paymentSessions.create({ checkoutId, successUrl: redirectUrl, failUrl: redirectUrl });
    await collects('automatic');
    const { paymentKey } = await this.pay({ orderId: action.orderId });
    const { orderId, amount } = action;
    return paymentSessions.confirm({ paymentSessionId: paymentSession.id, paymentKey, orderId, amount });
  }

  /** letter waits for the token that the development server lists for an address. */
  async letter(email, purpose) {
    return until(async () => {
      const { tokens } = await (await fetch(`${this.baseUrl}/dev/tokens.json`)).json(); // newest first
      return tokens.find((t) => t.email === email && t.token.startsWith(`${purpose}_`))?.token;
    }, `no letter for ${email}`);
  }

  /**
   * eventsUntil reads events after a number until they show the change of a record at that position, and then to the end of the
   * log: {events, last}. Events are numbered in rounds, a moment after the answer to the change; whatever was done before it is
   * in its round or an earlier one, on whichever page.
   */
  async eventsUntil(after, id, position) {
    const events = [];
    let last = after;
    await until(async () => {
      const page = await this.must('GET', `/api/events?after=${last}&limit=500`);
      events.push(...page.docs);
      last = page.nextAfter;
      return !page.hasMore && events.some((e) => (e.doc ?? e.data).id === id && e.recordSequence === position);
    }, `the log of events does not show change ${position} of ${id}`);
    return { events, last };
  }

  /** told is what events tell after a number, up to all that is done by now: up to a mark that is made now. */
  async told(after) {
    const mark = await this.ask('POST', '/api/tags', { name: unique('Mark') });
    assert.ok(mark.position > 0, `a mark is answered with ${mark.status} and position ${mark.position}`);
    const { events, last } = await this.eventsUntil(after, mark.body.doc.id, mark.position);
    return { events: events.filter((e) => e.collection !== 'tags'), last };
  }

  /** now is the number of the last event of all that is done by now. */
  async now() {
    const { nextAfter } = await this.must('GET', '/api/events?after=latest&limit=0');
    return (await this.told(nextAfter)).last;
  }
}

/** FaultProxy is adapters/testservers/faultproxy, told what to do over HTTP. */
export class FaultProxy {
  static async start() {
    const answer = await fetch(`${stage}/proxies`, { method: 'POST' });
    assert.equal(answer.status, 200);
    return Object.assign(new FaultProxy(), await answer.json());
  }

  async #say(method, path, body) {
    const answer = await fetch(`${this.url}/__faults${path}`, { method, body: body && JSON.stringify(body) });
    const text = await answer.text();
    assert.ok(answer.ok, `${method} /__faults${path}: ${text}`);
    return JSON.parse(text);
  }

  /** next orders a fault: {kind, method?, path?, times?, status?, header?, body?}. */
  async next(fault) {
    const { id } = await this.#say('POST', '', fault);
    return { struck: () => this.#say('POST', `/${id}/await`), release: () => this.#say('POST', `/${id}/release`) };
  }

  /** requests are those since the last forget. */
  async requests() {
    return (await this.#say('GET', '/requests')).requests;
  }

  /** forget clears the record; a fault that nothing met has proved nothing. */
  async forget() {
    assert.deepEqual((await this.#say('DELETE', '')).unmet, []);
  }
}

/**
 * watched is a client whose helpers write down that they answered: {client, names, answered}. A helper is a function of the
 * client or of an object in it, by its path; those of what `from` answers stand below `from()`.
 */
export function watched(client) {
  const names = new Set();
  const answered = new Set();
  const wrap = (node, path) => {
    const out = {};
    for (const [key, value] of Object.entries(node)) {
      const name = path ? `${path}.${key}` : key;
      if (typeof value === 'object' && value !== null) out[key] = wrap(value, name);
      if (typeof value !== 'function') continue;
      names.add(name);
      out[key] = (...args) => {
        const answer = value.apply(node, args);
        if (name === 'collections.from') {
          answered.add(name);
          return wrap(answer, `${name}()`);
        }
        Promise.resolve(answer).then(
          () => answered.add(name),
          () => {},
        ); // whoever called it hears of the failure
        return answer;
      };
    }
    return out;
  };
  return { client: wrap(client, ''), names, answered };
}

/** refused expects a failure with that reason, and answers it. */
export async function refused(promise, reason) {
  let failure;
  await assert.rejects(promise, (e) => {
    failure = e;
    assert.equal(e.name, 'CommerceSDKError', String(e));
    assert.equal(e.reason, reason, `${e.reason}: ${e.message}`);
    return true;
  });
  return failure;
}

/** nothingPends expects a client all of whose calls were answered. */
export async function nothingPends({ pending }) {
  assert.deepEqual(await pending.list(), []);
  assert.deepEqual(await pending.resume(), []);
  await pending.discard('ik_none');
}

/** allCalled expects that a watched client has these helpers and no others, and that each of them was answered. */
export function allCalled({ names, answered }, helpers) {
  assert.deepEqual([...names].sort(), helpers.slice().sort());
  assert.deepEqual(
    helpers.filter((name) => !answered.has(name)),
    [],
  );
}
