import assert from 'node:assert/strict';
import test from 'node:test';
import { Component, h, options, render } from 'preact';
import { batch, computed, effect, signal } from '../ui/signals.js';

/** counted is an effect, and what it has seen. */
function counted(read) {
  const seen = [];
  const end = effect(() => {
    seen.push(read());
  });
  return { seen, end };
}

test('an effect runs again when what it read has changed, and not when it is the same', () => {
  const a = signal(1);
  const { seen, end } = counted(() => a.value);
  a.value = 2;
  a.value = 2;
  assert.deepEqual(seen, [1, 2]);
  end();
  a.value = 3;
  assert.deepEqual(seen, [1, 2]);
});

test('an effect follows what it read last', () => {
  const [which, a, b] = [signal(true), signal('a'), signal('b')];
  const { seen } = counted(() => (which.value ? a.value : b.value));
  which.value = false;
  a.value = 'unseen';
  b.value = 'seen';
  assert.deepEqual(seen, ['a', 'b', 'seen']);
});

test('a computed value is made when it is asked for, once, and only a new one is told', () => {
  const n = signal(1);
  let made = 0;
  const odd = computed(() => {
    made++;
    return n.value % 2 === 1;
  });
  assert.equal(made, 0);
  const { seen } = counted(() => odd.value);
  n.value = 3;
  n.value = 4;
  assert.equal(odd.peek(), false);
  assert.deepEqual([seen, made], [[true, false], 3]);
});

test('computed values of computed values agree', () => {
  const n = signal(1);
  const [twice, more] = [computed(() => n.value * 2), computed(() => n.value + 1)];
  const both = computed(() => `${twice.value} ${more.value}`);
  const { seen } = counted(() => both.value);
  n.value = 2;
  assert.deepEqual(seen, ['2 2', '4 3']);
});

test('a batch tells once, after it, even when it fails', () => {
  const [a, b] = [signal(1), signal(1)];
  const { seen } = counted(() => a.value + b.value);
  batch(() => {
    a.value = 2;
    batch(() => {
      b.value = 2;
    });
    assert.deepEqual(seen, [2]);
  });
  assert.throws(() => batch(() => {
    a.value = 5;
    throw new Error('no');
  }));
  assert.deepEqual(seen, [2, 4, 7]);
});

test('an effect may change what another one reads', () => {
  const [a, b] = [signal(1), signal(0)];
  const { seen } = counted(() => b.value);
  effect(() => {
    b.value = a.value * 10;
  });
  a.value = 2;
  assert.deepEqual(seen, [0, 10, 20]);
});

test('peek and subscribe follow nothing but the value itself', () => {
  const [a, b] = [signal(1), signal(1)];
  const { seen } = counted(() => a.peek());
  const heard = [];
  const end = a.subscribe((now) => heard.push(now + b.value));
  a.value = 2;
  b.value = 10;
  end();
  a.value = 3;
  assert.deepEqual([seen, heard], [[1], [2, 3]]);
});

test('a component is rendered again when what it read has changed, and hears nothing when it is gone', () => {
  const [a, b] = [signal(1), signal(1)];
  const tasks = [];
  const later = options.debounceRendering;
  options.debounceRendering = (task) => tasks.push(task);
  const settled = () => {
    while (tasks.length > 0) tasks.shift()();
  };
  const rendered = [];
  class Inner extends Component {
    render() {
      rendered.push(`inner ${b.value}`);
      return null;
    }
  }
  const Outer = ({ inner }) => {
    rendered.push(`outer ${a.value}`);
    return inner ? h(Inner, null) : null;
  };
  const page = { nodeType: 1, childNodes: [], firstChild: null, namespaceURI: null, insertBefore: () => {}, ownerDocument: null };
  render(h(Outer, { inner: true }), page);
  b.value = 2;
  settled();
  assert.deepEqual(rendered, ['outer 1', 'inner 1', 'inner 2']);
  render(h(Outer, { inner: false }), page);
  b.value = 3;
  a.value = 2;
  settled();
  assert.deepEqual(rendered.slice(3), ['outer 1', 'outer 2']);
  options.debounceRendering = later;
});
