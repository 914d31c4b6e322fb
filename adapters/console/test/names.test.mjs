import assert from 'node:assert/strict';
import test from 'node:test';
import { named } from '../scripts/names.mjs';

/** valueOf is what a module has by default. @param {string} code */
const valueOf = async (code) => (await import(`data:text/javascript,${encodeURIComponent(code)}`)).default;

const modules = {
  'shorthand and defaults': `const one = 1; const f = ({ one: two, three = one, ...rest }) => ({ one, two, three, rest }); export default f({ one: 5, four: 4 });`,
  'a default that means what is outside': 'const x = 1; function f(a = x) { { let x = 7; return [a, x]; } } export default f();',
  'closures in loops': 'const all = []; for (const one of [1, 2]) for (let i = 0; i < 2; i++) all.push(() => one * 10 + i); export default all.map((f) => f());',
  'var in a block': 'function f() { let a = 1; { let b = 2; if (b) { var c = a + b; } } return [a, c]; } export default f();',
  'what is caught': 'const e = 1; let out; try { throw 2; } catch (caught) { let inner = caught; out = [e, caught, inner]; } export default out;',
  'classes and their members': `const name = 'n'; class A { #own = name; static made = 1; get [name]() { return this.#own; } own(own = A.made) { return own; } }
    const B = class Inner extends A { me() { return Inner === B; } }; export default [new B().n, new B().own(), new B().me()];`,
  'a function by its name inside': 'const again = function down(n) { return n ? down(n - 1) : 0; }; export default again(3);',
  'labels and members': 'const out = []; out: for (const a of [1, 2]) { for (const b of [1, 2]) { if (b === 2) continue out; out.push({ a }.a + b); } } export default out;',
  'names of the browser': 'const encode = encodeURIComponent; function f(text) { return encode(text) + isNaN(text); } export default f("a b");',
  'many variables': `export default (() => { ${Array.from({ length: 80 }, (_, i) => `let v${i} = ${i};`).join('')} return [${Array.from({ length: 80 }, (_, i) => `v${i}`)}]; })();`,
};

for (const [name, code] of Object.entries(modules)) {
  test(`${name}: a module with other names has the same value`, async () => {
    const { it } = named({ it: code });
    assert.deepEqual(await valueOf(it), await valueOf(code), it);
  });
}

test('what one file has of another has one name in both', () => {
  const { from, to } = named({
    from: 'const useful = 1, other = 2, unsent = 3; export { useful, other as another, unsent as default };',
    to: 'import { useful, another as renamed } from "from"; const own = useful + renamed; export { own as default };',
  });
  const [, given] = /export ?{([^}]*)}/.exec(from) ?? [];
  const [, taken] = /import ?{([^}]*)}/.exec(to) ?? [];
  const names = (/** @type {string | undefined} */ list) => (list ?? '').split(',').map((one) => one.trim()).filter((one) => !one.endsWith('default'));
  assert.deepEqual(names(taken), names(given));
  assert.ok(!/ as (?!default)/.test(from + to), from + to);
});
