import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import ts from 'typescript';

const files = new URL('../files/', import.meta.url);
const read = (name) => readFileSync(new URL(name, files), 'utf8');
const sheets = readdirSync(new URL('styles/', files)).map((name) => `styles/${name}`);

/** The classes that a file says something about by themselves, as `.card {` does and `.card .sum {` does not. */
function classesOf(text) {
  return [...text.matchAll(/^\.([\w-]+)(?: \{|,)$/gm)].map(([, name]) => name);
}

/** The strings and templates of code, also those inside of placeholders: what a comment or a name says, no page has. */
function textsOf(code) {
  const found = [];
  const visit = (node) => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('code.js', code, ts.ScriptTarget.Latest));
  return found;
}

test('every class that has a style is said by the code', () => {
  const code = readdirSync(files, { recursive: true }).filter((name) => /^(parts|screens|shell).*\.js$/.test(name)).map(read);
  const said = new Set(code.flatMap(textsOf).flatMap((text) => text.split(/[^\w-]+/)));
  // Some are put together, such as `block-${kind}`.
  const begun = code.flatMap((text) => [...text.matchAll(/[\w-]+-(?=\$\{)/g)].map(([start]) => start));
  for (const sheet of sheets) {
    const rules = read(sheet).replace(/\/\*[^]*?\*\//g, '');
    for (const [, one] of rules.matchAll(/\.([a-z][\w-]*)/gi)) {
      assert.ok(said.has(one) || begun.some((start) => one.startsWith(start)), `nothing has the class ${one} of ${sheet}`);
    }
  }
});

// All files are one style sheet in the end.
test('a class belongs to one file of styles', () => {
  const homes = new Map();
  for (const sheet of sheets) {
    for (const name of new Set(classesOf(read(sheet)))) homes.set(name, [...(homes.get(name) ?? []), sheet]);
  }
  assert.ok(homes.size > 100);
  assert.deepEqual([...homes].filter(([, all]) => all.length > 1), []);
});

test('what is said is in strings and templates, not in comments or names', () => {
  assert.deepEqual(textsOf("// card\nconst row = html`<p class=${on ? 'a' : `b-${c}`}>`; /* chip */").map((text) => text.trim()).filter(Boolean),
    ['<p class=', 'a', 'b-', '>']);
});

test('classes are those that stand alone', () => {
  assert.deepEqual(classesOf('.a,\n.b {\n  c: d;\n}\n.c .d {\n}\n  .e {'), ['a', 'b']);
});
