// Asking while somebody types.

/**
 * Makes a function that works for the last value it is given, `wait` milliseconds after the last call: work(value, isLast), one at a
 * time. What comes in the meantime replaces what waits, and isLast() tells a work that ends whether its answer is still wanted. Called
 * without a value it gives up. Answers a promise for the end of all work that was under way or waited.
 */
export function lastOnly(work, wait = 0) {
  let timer, next, running;
  let calls = 0;

  async function run() {
    while (next) {
      const { value, call } = next;
      next = undefined;
      await work(value, () => call === calls);
    }
    running = undefined;
  }

  return (value) => new Promise((done) => {
    const call = ++calls;
    clearTimeout(timer);
    next = undefined;
    if (value === undefined) return done();
    timer = setTimeout(() => {
      next = { value, call };
      running ??= run();
      running.then(done);
    }, wait);
  });
}
