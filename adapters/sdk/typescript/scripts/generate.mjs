// Writes src/generated/api.ts from the OpenAPI document: `node scripts/generate.mjs [--check] [FILE]`; without FILE the
// document is read from standard input (`cartwright openapi | npm run generate`). With --check nothing is written, and the
// exit code is 1 when the file is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';

const target = fileURLToPath(new URL('../src/generated/api.ts', import.meta.url));
const called = fileURLToPath(new URL('operations.json', import.meta.url));
const methods = ['get', 'post', 'put', 'patch', 'delete'];

const args = process.argv.slice(2).filter((a) => a !== '--check');
const doc = JSON.parse(args[0] ? readFileSync(args[0], 'utf8') : await piped());
const text = await generate(doc, JSON.parse(readFileSync(called, 'utf8')));

if (!process.argv.includes('--check')) {
  writeFileSync(target, text);
} else if (text !== readFileSync(target, 'utf8')) {
  console.error('src/generated/api.ts is stale: cartwright openapi | npm run generate');
  process.exitCode = 1;
}

/** piped is what comes on standard input, however slowly. */
async function piped() {
  let all = '';
  for await (const some of process.stdin.setEncoding('utf8')) all += some;
  return all;
}

/** generate is the file for the operations that the SDK calls, and for all collections that a secret key may read. */
async function generate(doc, names) {
  const collections = collectionsOf(doc);
  const routes = routesOf(doc, collections);
  const wanted = new Set([...names, ...Object.values(collections).flatMap((c) => c.operations), ...Object.values(routes)]);
  const paths = {};
  for (const [path, method, operation] of operationsOf(doc)) {
    if (!wanted.delete(operation.operationId)) continue;
    paths[path] ??= {};
    paths[path][method] = trimmed(doc, operation);
  }
  if (wanted.size > 0) throw new Error(`the document has no ${[...wanted].join(', ')}`);
  const schemas = reachable(doc.components.schemas, [paths, ...Object.values(collections).map((c) => c.types)]);
  const small = { openapi: doc.openapi, info: doc.info, paths, components: { schemas } };
  const tree = await openapiTS(small, { alphabetize: true, emptyObjectsUnknown: true });
  const types = astToString(tree.filter((node) => ['components', 'operations'].includes(node.name?.text)));
  return `// Made from the OpenAPI document by scripts/generate.mjs. Not to be edited.\n\n${types}\n${declared(collections)}\n${routed(routes)}`;
}

/** routesOf is the operations of the shop's people, who come with a cookie or to sign in, besides the work on collections. */
function routesOf(doc, collections) {
  const out = {};
  for (const [path, method, operation] of operationsOf(doc)) {
    const [, slug, id] = /^\/api\/([^/]+)(\/\{id\}|\/count)?$/.exec(path) ?? [];
    const generic = slug && collections[slug] && (id || operation.operationId !== collections[slug].post || collections[slug].operations.length === 0);
    const theirs = operation.security.some((s) => 'cookie' in s) || (path.startsWith('/api/users/') && operation.security.some((s) => !Object.keys(s).length));
    const named = collections[slug] && !/^(list|get|count|create|update|updateMany|delete|deleteMany)[A-Z]|^deleteManyall/.test(operation.operationId);
    if (theirs && answer(operation) && (!generic || named)) out[`${method.toUpperCase()} ${path}`] = operation.operationId;
  }
  return out;
}

function routed(routes) {
  const lines = Object.entries(routes).map(([route, id]) => `    "${route}": "${id}";\n`);
  return `/** The operations of the shop's people, by method and path. */\nexport interface Routes {\n${lines.join('')}}\n`;
}

function* operationsOf(doc) {
  for (const [path, item] of Object.entries(doc.paths)) {
    for (const method of methods) if (item[method]) yield [path, method, item[method]];
  }
}

/** trimmed keeps what a caller sends and what it gets when all goes well. */
function trimmed(doc, { operationId, summary, parameters = [], requestBody, responses }) {
  const query = parameters.map((p) => resolved(doc, p)).filter((p) => p.in === 'query');
  const out = { operationId, summary, parameters: query, responses: {} };
  const json = requestBody?.content['application/json'];
  if (json) out.requestBody = { required: requestBody.required, content: { 'application/json': json } };
  for (const [status, answer] of Object.entries(responses)) {
    if (!status.startsWith('2')) continue;
    const { description, content } = resolved(doc, answer);
    out.responses[status] = { description, content };
  }
  return out;
}

function resolved(doc, at) {
  if (!at.$ref) return at;
  return at.$ref.slice(2).split('/').reduce((tree, name) => tree[name], doc);
}

/** collectionsOf finds the collections by their lists: `GET /api/SLUG` and `GET /api/SLUG/count`. */
function collectionsOf(doc) {
  const out = {};
  for (const [path, item] of Object.entries(doc.paths)) {
    if (!doc.paths[`${path}/count`]?.get || !open(item.get)) continue;
    const one = doc.paths[`${path}/{id}`];
    const [made, changed, removed] = [item.post, one.patch, one.delete].map((operation) => (open(operation) ? operation : undefined));
    const bulk = [item.patch, item.delete].filter(open).map(answer).find((schema) => schema);
    const list = answer(item.get);
    const types = {
      record: one.get && answer(one.get),
      list,
      where: item.get.parameters.find((p) => p.name === 'where').content['application/json'].schema,
      create: made?.requestBody?.content['application/json']?.schema,
      created: made && answer(made),
      update: changed?.requestBody?.content['application/json']?.schema,
      updated: changed && answer(changed),
      removed: removed && answer(removed),
      bulk,
    };
    const usable = Object.fromEntries(Object.entries(types).filter(([, schema]) => schema));
    const named = usable.create && !usable.create.$ref ? [item.post.operationId] : [];
    out[path.slice('/api/'.length)] = { types: usable, operations: named, post: item.post?.operationId, browser: readable(item.get) };
  }
  return out;
}

/** open: a secret key may call the operation. */
function open(operation) {
  return operation?.security.some((s) => 'secretKey' in s) ?? false;
}

/** answer is the schema of what an operation gives when all goes well; undefined where it never does. */
function answer(operation) {
  const good = Object.entries(operation.responses).find(([status]) => status.startsWith('2'));
  return good?.[1].content?.['application/json']?.schema;
}

/** readable: a shopper's client key, or the customer who is logged in, may read the list. */
function readable(list) {
  return list.security.some((s) => 'clientKey' in s) || /customers/.test(list.description);
}

/** reachable is the schemas that trees refer to, and those that these refer to. */
function reachable(schemas, trees) {
  const out = {};
  const look = (tree) => {
    if (!tree || typeof tree !== 'object') return;
    const name = tree.$ref?.startsWith?.('#/components/schemas/') && tree.$ref.split('/').at(-1);
    if (name && !out[name]) look((out[name] = name.endsWith('Where') ? named(schemas[name]) : schemas[name]));
    Object.values(tree).forEach(look);
  };
  trees.forEach(look);
  return out;
}

/** named is a filter without the paths that it takes besides its fields: any misspelt field would pass for one. */
function named(schema) {
  return { ...schema, additionalProperties: false };
}

/** declared is the types of each collection by its slug. */
function declared(collections) {
  const members = ['record', 'list', 'where', 'create', 'created', 'update', 'updated', 'removed', 'bulk'];
  const type = (c, member) => {
    const schema = c.types[member];
    if (schema?.$ref) return `components["schemas"]["${schema.$ref.split('/').at(-1)}"]`;
    if (!schema || c.operations.length === 0) return 'never';
    const body = `operations["${c.post}"]`;
    const at = member === 'create' ? `NonNullable<${body}["requestBody"]>` : `${body}["responses"][201]`;
    return `${at}["content"]["application/json"]`;
  };
  const lines = Object.entries(collections).map(([slug, c]) => {
    const fields = members.map((member) => `        ${member}: ${type(c, member)};\n`);
    return `    "${slug}": {\n${fields.join('')}        browser: ${c.browser};\n    };\n`;
  });
  return `/** The collections, by slug: their records, what they take and what they answer. */\nexport interface Collections {\n${lines.join('')}}\n`;
}
