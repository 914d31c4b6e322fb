// The README's snippets are what the types say, for readers who write TypeScript.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { fileOf, moduleOf, root, sections } from './snippets.mjs';

const compilerOptions = {
  noEmit: true,
  allowJs: true,
  checkJs: true,
  strict: true,
  skipDefaultLibCheck: true,
  noImplicitAny: false, // of parameters, which plain JavaScript cannot type
  module: 'nodenext',
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: [],
};

// What is Node's, and the page's.
const shims = `
declare module 'node:fs/promises';
declare module 'node:http';
declare function paidInTheBrowser(action: import('@cartwright/sdk').WidgetAction): Promise<{ paymentKey: string }>;`;

/** checked is what the compiler says of modules by name. */
async function checked(t, modules) {
  const project = await mkdtemp(join(tmpdir(), 'cartwright-types-'));
  t.after(() => rm(project, { recursive: true }));
  await mkdir(join(project, 'node_modules/@cartwright'), { recursive: true });
  await symlink(root, join(project, 'node_modules/@cartwright/sdk'));
  for (const [name, code] of Object.entries(modules)) await writeFile(join(project, name), code);
  const files = ['shims.d.ts', ...Object.keys(modules)];
  await writeFile(join(project, 'shims.d.ts'), shims);
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = await promisify(execFile)('node', [tsc], { cwd: project }).catch((e) => e);
  return stdout;
}

test('the snippets are typed', async (t) => {
  const modules = {};
  for (const title of sections.keys()) if (moduleOf(title)) modules[fileOf(title)] = moduleOf(title);
  assert.equal(Object.keys(modules).length, 6);
  const wrong = `import { createClient } from '@cartwright/sdk';\ncreateClient({ clientKey: 1 });`;
  const said = await checked(t, { ...modules, 'wrong.mjs': wrong });
  assert.match(said, /^wrong\.mjs\(2,16\): error TS\d+: [^\n]*\n( [^\n]*\n)*$/, said); // that one alone
});
