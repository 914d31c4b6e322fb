// Makes dist/, which the server sends, of files/: `node scripts/build.mjs`. With --check nothing is written, and the exit code is 1
// when something in dist/ is stale.
//
// Screens and words are sent by group. The names of files follow from their content. They are there as they are sent, compressed by
// zopfli: a twenty-fifth less than the server would make of them.
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { minify } from 'terser';
import { withCalls } from './calls.mjs';
import { grouping } from './groups.mjs';

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
  absWorkingDir: root, entryPoints: ['files/main.js'], bundle: true, splitting: true, format: 'esm', minify: true, target: 'es2022', outdir: 'dist',
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

/** What dist/ has, by name. */
const made = { 'index.html': page, 'icon.svg': read('files/icon.svg'), 'LICENSES.txt': read('files/vendor/LICENSES.txt') };
// Not before all is made: as long as it is there, it answers every error of this script by its own source.
const { gzipAsync } = (await import('@gfx/zopfli')).default;
const packed = async (name, text) => {
  made[`${name}.gz`] = await gzipAsync(new TextEncoder().encode(text), { numiterations: 15 });
};
await packed('console.css', await styles());
for (const { path, text } of outputFiles) {
  // What esbuild has bundled, terser says in less: a twenty-fifth of all code, compressed.
  const { code } = await minify(text, { module: true, ecma: 2020, compress: { passes: 2 } });
  await packed(path.slice(`${root}dist/`.length), code);
}

if (!process.argv.includes('--check')) {
  rmSync(`${root}dist`, { recursive: true, force: true });
  mkdirSync(`${root}dist`);
  for (const [name, content] of Object.entries(made)) writeFileSync(`${root}dist/${name}`, content);
} else {
  const there = readdirSync(`${root}dist`);
  const stale = [
    ...Object.keys(made).filter((name) => !there.includes(name) || !readFileSync(`${root}dist/${name}`).equals(Buffer.from(made[name]))),
    ...there.filter((name) => !(name in made)),
  ];
  for (const name of stale) console.error(`dist/${name} is stale: npm run build`);
  if (stale.length > 0) process.exitCode = 1;
}
