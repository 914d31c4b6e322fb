// Templates become calls: html`<p class="note">${text}</p>` is html('p', { class: 'note' }, text) in dist/, which is less to send and
// needs no parser in the browser. What a template means is found out by htm itself, with marks in place of its values. The names of
// words become their numbers.
import htm from 'htm';
import ts from 'typescript';

/** A Call is what stands for an element. */
class Call {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
}

/** Marks stand for values: alone in a text or as an object whose properties are spread. */
const markOf = (index) => ({ [`...${index}`]: true, toString: () => `\u0001${index}\u0001` });
const spread = /^\.\.\.(\d+)$/;

/** @typedef {{ text: string, numbers: Map<string, string> }} Module */

/**
 * withCalls is a module with its templates as calls, and words by number.
 * @param {string} text
 * @param {Map<string, string>} numbers of words
 */
export const withCalls = (text, numbers) => emit(ts.createSourceFile('x.js', text, ts.ScriptTarget.ESNext), 0, text.length, { text, numbers });

/**
 * emit is the text of a node from one place to another, rewritten.
 * @param {ts.Node} node
 * @param {number} from
 * @param {number} to
 * @param {Module} module that the node is in
 */
function emit(node, from, to, module) {
  let out = '';
  const said = new Set();
  const instead = (child, text) => {
    out += module.text.slice(from, ts.skipTrivia(module.text, child.pos)) + text;
    from = child.end;
  };
  const visit = (child) => {
    if (ts.isTaggedTemplateExpression(child) && child.tag.escapedText === 'html') return instead(child, callOf(child.template, module));
    if (ts.isStringLiteralLike(child) && module.numbers.has(child.text)) {
      if (!said.has(child)) throw unsaid(child.text);
      return instead(child, String(module.numbers.get(child.text)));
    }
    if (ts.isCallExpression(child) && child.expression.escapedText === 't') saidIn(child.arguments[0]).forEach((name) => said.add(name));
    ts.forEachChild(child, (inner) => void visit(inner));
  };
  visit(node);
  return out + module.text.slice(from, to);
}

/**
 * saidIn is what t() may say: its argument, or the branches of a conditional there. A name that something else is made of would be another
 * one as a number.
 * @param {ts.Node | undefined} argument
 * @returns {ts.Node[]}
 */
function saidIn(argument) {
  if (!argument) return [];
  return ts.isConditionalExpression(argument) ? [...saidIn(argument.whenTrue), ...saidIn(argument.whenFalse)] : [argument];
}

/** unsaid is the error about a name that stays a name. @param {string} name */
const unsaid = (name) => new Error(`${name} is the name of a word, and not said by t()`);

/** callOf is the call, or the list of calls, for a template. */
function callOf(template, module) {
  const spans = template.templateSpans ?? [];
  const values = spans.map(({ expression }) => `(${emit(expression, expression.pos, expression.end, module)})`);

  /** written is an operand as code. */
  const written = (operand) => {
    if (operand instanceof Call) return operand.text;
    if (operand === null || operand === undefined || operand === true) return String(operand);
    const parts = String(operand).split('\u0001');
    if (module.numbers.has(parts[0]) && parts.length === 1) throw unsaid(parts[0]);
    if (parts.length === 1) return JSON.stringify(parts[0]);
    if (parts.length === 3 && !parts[0] && !parts[2]) return values[parts[1]];
    return `\`${parts.map((part, i) => (i % 2 ? `\${${values[part]}}` : part.replace(/[`\\$]/g, '\\$&'))).join('')}\``;
  };
  const property = ([name, value]) => (spread.test(name) ? `...${values[spread.exec(name)[1]]}` : `${JSON.stringify(name)}: ${written(value)}`);
  const h = (type, properties, ...children) => {
    const shown = properties ? `{ ${Object.entries(properties).filter(([name]) => name !== 'toString').map(property).join(', ')} }` : 'null';
    return new Call(`html(${[written(type), shown, ...children.map(written)].join(', ')})`);
  };
  const texts = [template.head ?? template, ...spans.map(({ literal }) => literal)].map((part) => part.text);
  const roots = htm.call(h, texts, ...values.map((_, i) => markOf(i)));
  return Array.isArray(roots) ? `[${roots.map(written).join(', ')}]` : written(roots);
}
