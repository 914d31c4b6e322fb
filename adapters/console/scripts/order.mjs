// Looks for an order of the screens' modules in which what is alike stands together, since a file is compressed by what it has repeated
// in its last 32 kB, and writes it to order.json: `node scripts/order.mjs [SECONDS]`. It changes what is sent, and not what it does:
// worth a run when screens were added. A module that order.json does not name comes last.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { transform } from 'esbuild';
import { withCalls } from './calls.mjs';
import { grouping } from './groups.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const seconds = Number(process.argv[2] ?? 60);
const { grouped, numbers, ofGroup } = await grouping(root);

/** moduleOf is what a module adds to its file, about, and which modules come before it. */
async function moduleOf(name) {
  const text = readFileSync(`${root}files/${name}`, 'utf8');
  const needs = [...text.matchAll(/^import .* from '(\..*)';$/gm)].map(([, at]) => join(dirname(name), at));
  const { code } = await transform(withCalls(grouped(text), numbers), { minify: true, target: 'es2022', charset: 'utf8' });
  return { name, needs, code: code.replace(/import\{[^}]*\}from"[^"]*";|export default |export\{[^}]*\};/g, '') };
}

/** placed is the modules as a bundler places them: what one needs before it. */
function placed(order, byName) {
  const [out, seen] = [[], new Set()];
  const place = (one) => {
    if (!one || seen.has(one)) return;
    seen.add(one);
    for (const name of one.needs) place(byName.get(name));
    out.push(one);
  };
  order.forEach(place);
  return out;
}

/** best is an order after many small moves, of which each that made it smaller was kept. */
function best(modules) {
  const byName = new Map(modules.map((one) => [one.name, one]));
  const sizeOf = (order) => deflateRawSync(placed(order, byName).map(({ code }) => code).join('\n'), { level: 9 }).length;
  let [order, size] = [modules, sizeOf(modules)];
  const first = size;
  let seed = 7;
  const random = (below) => (seed = (seed * 16807) % 2147483647) % below;
  for (const end = Date.now() + seconds * 1000; Date.now() < end; ) {
    const next = [...order];
    const moved = next.splice(random(next.length), 1 + random(4));
    next.splice(random(next.length + 1), 0, ...moved);
    const now = sizeOf(next);
    if (now <= size) [order, size] = [next, now];
  }
  console.log(`${first} bytes became ${size}`);
  return placed(order, byName).map(({ name }) => name);
}

const order = {};
for (const group of ['work', 'shop']) order[group] = best(await Promise.all(ofGroup(group).map(moduleOf)));
writeFileSync(`${root}scripts/order.json`, `${JSON.stringify(order, null, 1)}\n`);
