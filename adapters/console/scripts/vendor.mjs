// Makes files/vendor/ anew, from the packages of package-lock.json, ui/ and the TypeScript SDK: `node scripts/vendor.mjs`. With
// --check nothing is written, and the exit code is 1 when a file is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const at = (path) => `${root}${path}`;

/** What each vendored module is made of. */
const sources = {
  'htm.js': "export { default } from 'htm';",
  'ui.js': `
    import { h } from 'preact';
    import htm from './htm.js';
    export const html = htm.bind(h);
    export { render } from 'preact';
    export { useCallback, useEffect, useId, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
    export { batch, computed, effect, signal } from './ui/signals.js';
    export { LocationProvider, Router, lazy, useLocation, useRoute } from './ui/router.js';`,
  'sdk.js': "export { CommerceSDKError, createCommerceIdempotencyKey, createOperatorClient } from '../sdk/typescript/src/operator.ts';",
  'icons.js': icons(),
};

/** icons is the icons that the console uses, each the data of one path in a box of 24 by 24: lines of names and of paths, by what they draw. */
function icons() {
  const all = JSON.parse(readFileSync(at('node_modules/lucide-static/icon-nodes.json'), 'utf8'));
  const used = JSON.parse(readFileSync(at('scripts/icons.json'), 'utf8')).sort();
  const missing = used.filter((name) => !all[name]);
  if (missing.length > 0) throw new Error(`lucide has no ${missing.join(', ')}`);
  const drawn = used.map((name) => [name, all[name].map(pathOf).join('').replace(/(?<=\d) (?=-)/g, '')]).sort(([, a], [, b]) => (a < b ? -1 : 1));
  const [names, paths] = [0, 1].map((i) => JSON.stringify(drawn.map((icon) => icon[i]).join('|')));
  return `const paths = ${paths}.split('|'); export const icons = Object.fromEntries(${names}.split('|').map((name, i) => [name, paths[i]]));`;
}

/** pathOf draws an element as a path, to a tenth of a unit: at the sizes of icons nobody sees less. */
function pathOf([element, attributes]) {
  const { d, points, x1, y1, x2, y2 } = attributes;
  const [x, y, w, h, r, rx, cx, cy] = ['x', 'y', 'width', 'height', 'r', 'rx', 'cx', 'cy'].map((name) => Number(attributes[name] ?? 0));
  const turn = (right, down) => `a${rx} ${rx} 0 0 1 ${right} ${down}`;
  const drawn = {
    path: d,
    polyline: `M${points}`,
    line: `M${x1} ${y1}L${x2} ${y2}`,
    circle: `M${cx - r} ${cy}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0-${2 * r} 0`,
    rect: `M${x + rx} ${y}h${w - 2 * rx}${turn(rx, rx)}v${h - 2 * rx}${turn(-rx, rx)}h${2 * rx - w}${turn(-rx, -rx)}v${2 * rx - h}${turn(rx, -rx)}z`,
  }[element];
  if (!drawn) throw new Error(`an icon has a ${element}`);
  // After another path a beginning at m would count from its end.
  const placed = drawn.replace(/^m(-?[\d.]+ ?-?[\d.]+)/, (_, at) => `M${at}l`).replace(/l(?=[a-z]|$)/i, '');
  return placed.replace(/\d*\.\d{2,}(?=(\.?))/g, (n, next) => {
    const short = String(Math.round(n * 10) / 10).replace(/^0\./, '.');
    return next && !short.includes('.') ? `${short} ` : short; // 1.004.5 is two numbers
  });
}

/** What the SDK says of its own to programmers in English; the console tells it in words of its own, by its reason. */
const unsaid = /(\blocal\('\w+', |\? first.message : )('[^']*'|`[^`]*`)/g;

/** What the SDK does for others, and the console has no call for. What only that needs goes with it. @type {Record<string, RegExp>} */
const uncalled = {
  'collections.ts': /^ +(update|remove)Many:.*\n/gm,
  'operator.ts': /^ +(waitFor\w+:|allRows:|pending,).*\n/gm,
  'pending.ts': /list: records\.all, resume, discard, /,
};

/** sdk is the sources of the SDK without what the console has no use for. */
const sdk = {
  name: 'sdk',
  setup({ onLoad }) {
    onLoad({ filter: /sdk\/typescript\/src\/\w+\.ts$/ }, ({ path }) => {
      const name = path.slice(path.lastIndexOf('/') + 1);
      const text = readFileSync(path, 'utf8');
      const called = uncalled[name] ? text.replace(uncalled[name], '') : text;
      if (uncalled[name] && called === text) throw new Error(`${name} has nothing that the console does not call`);
      return { contents: called.replace(unsaid, "$1''"), loader: 'ts' };
    });
  },
};

async function bundled(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root }, external: ['./htm.js'], bundle: true, minify: true, format: 'esm', target: 'es2022', write: false,
    legalComments: 'none', logLevel: 'error', plugins: [sdk],
  });
  return outputFiles[0].text;
}

/** licenses is the texts that the packages ask to be shown. */
function licenses() {
  const names = ['preact', 'htm', 'lucide-static'];
  return names.map((name) => `${name}\n\n${readFileSync(at(`node_modules/${name}/LICENSE`), 'utf8').trim()}\n`).join('\n\n');
}

const made = { 'LICENSES.txt': licenses() };
for (const [name, contents] of Object.entries(sources)) made[name] = await bundled(contents);
for (const [name, text] of Object.entries(made)) {
  const path = at(`files/vendor/${name}`);
  if (!process.argv.includes('--check')) writeFileSync(path, text);
  else if (text !== readFileSync(path, 'utf8')) {
    console.error(`files/vendor/${name} is stale: npm run vendor`);
    process.exitCode = 1;
  }
}
