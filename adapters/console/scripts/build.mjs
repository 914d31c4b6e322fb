// Makes dist/, which the server sends, of files/: `node scripts/build.mjs`. With --check nothing is written, and the exit code is 1
// when something in dist/ is stale.
//
// Screens and words are sent by group, and names.mjs names what is in them. The names of files follow from their content. All but the
// page, which the server completes, are there as they are sent, compressed by brotli. What is compared is what is inside: other versions of
// Node may compress otherwise.
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { build, transform } from 'esbuild';
import { minify } from 'terser';
import { withCalls } from './calls.mjs';
import { grouping } from './groups.mjs';
import { named } from './names.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path) => readFileSync(`${root}${path}`, 'utf8');

const { grouped, groupNamed, numbers } = await grouping(root);

/** What the sources become on their way into dist/. */
const plugin = {
  name: 'console',
  setup({ onLoad, onResolve }) {
    onLoad({ filter: /files\/(base|parts|screens|shell|main).*\.js$/ }, ({ path }) => ({ contents: withCalls(grouped(readFileSync(path, 'utf8')), numbers) }));
    onLoad({ filter: /vendor\/htm\.js$/ }, () => ({ contents: 'export default { bind: (h) => h };' }));
    onResolve({ filter: /^group:/ }, ({ path }) => ({ path: path.slice('group:'.length), namespace: 'group' }));
    onLoad({ filter: /./, namespace: 'group' }, async ({ path }) => ({ contents: await groupNamed(path), resolveDir: root }));
  },
};

const { outputFiles, metafile } = await build({
  absWorkingDir: root, entryPoints: ['files/main.js'], bundle: true, splitting: true, format: 'esm', minifySyntax: true, minifyWhitespace: true, target: 'es2022', outdir: 'dist',
  entryNames: 'main-[hash]', chunkNames: '[name]-[hash]', write: false, metafile: true, legalComments: 'none', logLevel: 'error', charset: 'utf8',
  plugins: [plugin],
});

/** The styles of all screens are one file: together they are smaller than what one more request costs. */
async function styles() {
  const first = ['base.css', 'parts.css', 'shell.css'];
  const all = [...first, ...readdirSync(`${root}files/styles`).filter((name) => !first.includes(name)).sort()];
  return (await transform(all.map((name) => read(`files/styles/${name}`)).join('\n'), { loader: 'css', minify: true })).code;
}

/** loadedAtOnce lists what a file imports when it is loaded, so that a browser asks for all of it together. */
function loadedAtOnce(name, seen = []) {
  for (const { path, kind } of metafile.outputs[name].imports) {
    if (kind !== 'import-statement' || seen.includes(path)) continue;
    seen.push(path);
    loadedAtOnce(path, seen);
  }
  return seen;
}

const main = Object.keys(metafile.outputs).find((name) => metafile.outputs[name].entryPoint === 'files/main.js');
const bare = (name) => name.slice('dist/'.length);
const preload = loadedAtOnce(main).map((name) => `<link rel="modulepreload" href="{{files}}/${bare(name)}" />`);
const page = read('files/index.html')
  .replace('<!-- styles -->', '<link rel="stylesheet" href="{{files}}/console.css" />')
  .replace('<!-- modules -->', [...preload, `<script type="module" src="{{files}}/${bare(main)}"></script>`].join('\n    '));

/** What dist/ has, by name, before it is compressed. */
const made = { 'index.html': page, 'console.css': await styles(), 'icon.svg': read('files/icon.svg'), 'LICENSES.txt': read('files/vendor/LICENSES.txt') };
/** What esbuild has bundled, terser says in less: a twenty-fifth of all code, compressed. Comparisons stay as they are written. */
const compress = { passes: 2, lhs_constants: false, hoist_funs: true };
const terse = async (text) => (await minify(text, { module: true, ecma: 2020, mangle: false, compress })).code;
const modules = await Promise.all(outputFiles.map(async ({ path, text }) => [path.slice(`${root}dist/`.length), await terse(text)]));
Object.assign(made, named(Object.fromEntries(modules)));

const isPacked = (name) => name !== 'index.html';
const nameOf = (name) => (isPacked(name) ? `${name}.br` : name);

/** packed is a text as it is sent. */
function packed(text) {
  const { BROTLI_PARAM_QUALITY, BROTLI_MAX_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
  const body = Buffer.from(text);
  return brotliCompressSync(body, { params: { [BROTLI_PARAM_QUALITY]: BROTLI_MAX_QUALITY, [BROTLI_PARAM_SIZE_HINT]: body.length } });
}

if (!process.argv.includes('--check')) {
  rmSync(`${root}dist`, { recursive: true, force: true });
  mkdirSync(`${root}dist`);
  for (const [name, text] of Object.entries(made)) writeFileSync(`${root}dist/${nameOf(name)}`, isPacked(name) ? packed(text) : text);
} else {
  const there = readdirSync(`${root}dist`);
  const isThere = (name, text) => {
    if (!there.includes(nameOf(name))) return false;
    const body = readFileSync(`${root}dist/${nameOf(name)}`);
    return (isPacked(name) ? brotliDecompressSync(body) : body).toString() === text;
  };
  const stale = [
    ...Object.keys(made).filter((name) => !isThere(name, made[name])).map(nameOf),
    ...there.filter((file) => !Object.keys(made).some((name) => nameOf(name) === file)),
  ];
  for (const name of stale) console.error(`dist/${name} is stale: npm run build`);
  if (stale.length > 0) process.exitCode = 1;
}
