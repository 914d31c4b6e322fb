// The names of variables in dist/, which terser leaves as they are written. In a function they are a, b, c in the order in which they come,
// so that functions alike are texts alike: that compresses better than giving the shortest names to what is used most. What one file has
// of another has one name in both, so that no list tells which is which.
import { parse } from 'acorn';

/** A Scope is where names are declared. */
class Scope {
  /** @param {Scope | null} parent @param {boolean} [whole] whether what `var` declares is declared here */
  constructor(parent, whole = false) {
    Object.assign(this, { parent, whole, own: new Map(), within: [], seen: new Set() });
    parent?.within.push(this);
  }

  /** declare is the variable of a name here. @param {string} name */
  declare(name) {
    if (!this.own.has(name)) this.own.set(name, { name, uses: 0, short: '' });
  }

  /** find is the variable that a name means here; undefined for one of the browser. @param {string} name */
  find(name) {
    return this.own.get(name) ?? this.parent?.find(name);
  }
}

/** namesIn are the names that a pattern declares. */
function namesIn(pattern) {
  switch (pattern?.type) {
    case 'Identifier': return [pattern.name];
    case 'ObjectPattern': return pattern.properties.flatMap((p) => namesIn(p.type === 'RestElement' ? p.argument : p.value));
    case 'ArrayPattern': return pattern.elements.flatMap(namesIn);
    case 'AssignmentPattern': return namesIn(pattern.left);
    case 'RestElement': return namesIn(pattern.argument);
    default: return [];
  }
}

const isFunction = (node) => /Function/.test(node.type);
const scopes = /^(BlockStatement|For\w*Statement|SwitchStatement|CatchClause|ClassExpression|StaticBlock)$/;

/** partsOf are the nodes in a node, in the order of the text. */
const partsOf = (node) => Object.values(node).flat().filter((part) => part && typeof part.type === 'string');

/** A File is a module whose variables get names. */
export class File {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.top = new Scope(null, true);
    this.places = []; // where variables stand: { node, scope, as }
    this.imports = [];
    this.exports = [];
    this.tree = parse(text, { ecmaVersion: 'latest', sourceType: 'module' });
    this.declare(this.tree, this.top);
    this.refer(this.tree, this.top, true);
    this.browsers = new Set(this.places.filter((p) => !p.scope.find(p.node.name)).map((p) => p.node.name));
    for (const { node, scope } of this.places) {
      const variable = scope.find(node.name);
      if (variable) variable.uses++;
      for (let s = scope; variable && s; s = s.parent) {
        s.seen.add(variable);
        if (s.own.get(node.name) === variable) break;
      }
    }
  }

  /** declare makes the scopes below a node, with what they declare. */
  declare(node, scope) {
    let here = scope;
    if (isFunction(node) || scopes.test(node.type)) here = node.scope = new Scope(scope, isFunction(node));
    if (isFunction(node)) {
      if (node.id) (node.type === 'FunctionDeclaration' ? scope : here).declare(node.id.name);
      node.params.flatMap(namesIn).forEach((name) => here.declare(name));
    }
    if (node.type === 'ClassDeclaration') scope.declare(node.id.name);
    if (node.type === 'ClassExpression' && node.id) here.declare(node.id.name);
    if (node.type === 'CatchClause') namesIn(node.param).forEach((name) => here.declare(name));
    if (/^Import\w*Specifier$/.test(node.type)) scope.declare(node.local.name);
    if (node.type === 'VariableDeclaration') {
      let to = scope;
      while (node.kind === 'var' && !to.whole) to = to.parent;
      node.declarations.flatMap(({ id }) => namesIn(id)).forEach((name) => to.declare(name));
    }
    partsOf(node).forEach((part) => this.declare(part, here));
    if ((isFunction(node) || node.type === 'CatchClause') && node.body.scope) node.body.scope.isBody = true;
  }

  /** refer collects where variables stand below a node. */
  refer(node, scope) {
    const here = node.scope ?? scope;
    const at = (id, as = '') => this.places.push({ node: id, scope: here, as });
    switch (node.type) {
      case 'Identifier': return void at(node);
      case 'MemberExpression':
        this.refer(node.object, here);
        return node.computed && this.refer(node.property, here);
      case 'Property':
        if (node.computed) this.refer(node.key, here);
        if (!node.shorthand) return this.refer(node.value, here);
        at(node.value.type === 'AssignmentPattern' ? node.value.left : node.value, 'key');
        return node.value.type === 'AssignmentPattern' && this.refer(node.value.right, here);
      case 'PropertyDefinition': case 'MethodDefinition':
        if (node.computed) this.refer(node.key, here);
        return node.value && this.refer(node.value, here);
      case 'ImportSpecifier': return void this.imports.push({ node, name: node.imported.name, variable: here.find(node.local.name) });
      case 'ExportSpecifier': return void this.exports.push({ node, name: node.exported.name, variable: here.find(node.local.name) });
      case 'ImportDeclaration': case 'ExportNamedDeclaration':
        return partsOf(node).forEach((part) => part !== node.source && this.refer(part, here));
      case 'LabeledStatement': return this.refer(node.body, here);
      case 'BreakStatement': case 'ContinueStatement': case 'MetaProperty': case 'ImportDefaultSpecifier': case 'ImportNamespaceSpecifier': return undefined;
      case 'FunctionDeclaration': case 'ClassDeclaration':
        if (node.id) this.places.push({ node: node.id, scope, as: '' });
        return partsOf(node).forEach((part) => part !== node.id && this.refer(part, here));
      default: return partsOf(node).forEach((part) => this.refer(part, here));
    }
  }

  /** written is the text with the names that its variables got. */
  written() {
    const edits = this.places.flatMap(({ node, scope, as }) => {
      const variable = scope.find(node.name);
      if (!variable || variable.short === node.name) return [];
      return [[node.start, node.end, as ? `${node.name}:${variable.short}` : variable.short]];
    });
    const pair = (a, b) => (a === b ? a : `${a} as ${b}`);
    for (const { node, alias, variable } of this.imports) edits.push([node.start, node.end, pair(alias, variable.short)]);
    for (const { node, alias, variable } of this.exports) edits.push([node.start, node.end, pair(variable.short, alias)]);
    let out = '';
    let from = 0;
    for (const [start, end, text] of edits.sort((a, b) => a[0] - b[0])) {
      out += this.text.slice(from, start) + text;
      from = end;
    }
    return out + this.text.slice(from);
  }
}

const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$'];
const reserved = ['as', 'do', 'if', 'in', 'is', 'of'];

/** longer are the names of two and three letters. */
function* longer() {
  for (const before of ['', ...letters]) {
    for (const a of letters) for (const b of [...letters, ...'0123456789']) if (!reserved.includes(before + a + b)) yield before + a + b;
  }
}

/** names are all there are, the shortest first. */
function* names() {
  yield* letters;
  yield* longer();
}

/** next is the first of names that is not taken. @param {Iterator<string>} from @param {Set<string>} taken */
function next(from, taken) {
  for (;;) {
    const { value } = from.next();
    if (!taken.has(value)) return value;
  }
}

/** How many variables at the top of files, those that are used most, have one letter. */
const most = 30;

/** nameTops names what is at the top of files; what one has of another is called alike in both. @param {File[]} files @param {Set<string>} taken */
function nameTops(files, taken) {
  const given = new Map(files.flatMap((file) => file.exports.map((one) => [one.name, one])));
  const others = files.flatMap((file) => file.imports);
  for (const { name, variable } of others) if (given.has(name)) given.get(name).variable.uses += variable.uses;
  const own = files.flatMap((file) => [...file.top.own.values()].filter((v) => !file.imports.some(({ variable }) => variable === v)));
  const first = own.toSorted((a, b) => b.uses - a.uses).slice(0, most);
  // Those letters come last in functions, where the first are wanted.
  const [short, long] = [letters.toReversed().values(), longer()];
  for (const variable of new Set([...first, ...own])) variable.short = next(first.includes(variable) ? short : long, taken);
  for (const one of files.flatMap((file) => file.exports)) one.alias = one.name === 'default' ? one.name : one.variable.short;
  for (const one of others) one.variable.short = one.alias = given.get(one.name)?.alias ?? one.name;
}

/** nameWithin names what is in a scope: no two that are seen in one place alike. @param {Scope} scope @param {Set<string>} browsers */
function nameWithin(scope, browsers) {
  const taken = new Set(browsers);
  for (const { short } of [...scope.seen, ...(scope.isBody ? scope.parent.own.values() : [])]) taken.add(short);
  for (const variable of scope.own.values()) taken.add(variable.short = next(names(), taken));
  scope.within.forEach((inner) => nameWithin(inner, browsers));
}

/**
 * named is the texts of modules that are sent together, with short names.
 * @param {Record<string, string>} texts by the name of the file
 * @returns {Record<string, string>}
 */
export function named(texts) {
  const files = Object.values(texts).map((text) => new File(text));
  const browsers = new Set(files.flatMap((file) => [...file.browsers]));
  nameTops(files, browsers);
  for (const file of files) file.top.within.forEach((scope) => nameWithin(scope, browsers));
  return Object.fromEntries(Object.keys(texts).map((name, i) => [name, files[i].written()]));
}
