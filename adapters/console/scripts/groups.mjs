// What is sent together: the first screen, and all others, each with what it says in one language. A file is compressed by what it
// repeats: other screens in two files, and a third of what both use, were 6 kB more. In the sources every screen and every file of words is
// loaded by itself.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { numbering } from './numbers.mjs';

/** The areas of words that the first screen needs. */
const first = ['common', 'list', 'login', 'shell', 'today'];

const screenImport = /import\('\.\.\/screens\/(\w+\/\w+)\.js'\)/g;
const wordsImport = '(await import(`../words/${key}.js`)).default';
const wordsLook = 'look(area, name.slice(area.length + 1))';
const wordsArea = "name.slice(0, Math.max(name.indexOf('.'), 0))";

/**
 * grouping is how modules are loaded by group, and which words have numbers. A group is a module that is made here: `rest.js` has screens,
 * `rest.ko.js` words, and `screens` and `words` know where a screen and the words of an area are.
 * @param {string} root the folder with files/, with a slash at its end
 */
export async function grouping(root) {
  const names = readdirSync(`${root}files`, { recursive: true }).filter((name) => name.endsWith('.js')).sort();
  const read = (name) => readFileSync(`${root}files/${name}`, 'utf8');
  const { numbers, numbered, named } = await numbering(root, first);

  /** What is loaded when it is needed, as area and module. */
  const loaded = names.filter((name) => !/^(vendor|words)\//.test(name)).flatMap((name) => [...read(name).matchAll(screenImport)].map(([, of]) => of));
  const screens = [...new Set(loaded)];
  const rest = () => {
    // What the page begins with is named too: else that would be two files, one of what these screens use of it.
    const imports = screens.map((of, i) => `import screen${i} from './files/screens/${of}.js';`);
    return `import './files/main.js';\n${imports.join('\n')}\nexport default [${screens.map((_, i) => `screen${i}`)}];`;
  };

  // Words are lines of two texts: those with numbers, and by area, after its name, those that keep their names.
  const spoken = [...new Set(names.filter((name) => name.startsWith('words/')).map((name) => name.split(/[/.]/)[1]))];
  const wordsOf = async (group, language) => {
    const areas = spoken.filter((area) => (group === 'first') === first.includes(area) && existsSync(`${root}files/words/${area}.${language}.js`));
    const { from, list } = numbered(group === 'first', language);
    const linesOf = async (area) => Object.entries(await named(area, language)).map(([name, word]) => `\n${name} ${line(word)}`);
    const by = await Promise.all(areas.map(async (area) => area + (await linesOf(area)).join('')));
    return `export default ${JSON.stringify([from, list.map(line).join('\n'), by.join('\n\n')])};`;
  };
  const directory = () => {
    const load = (language) => ['first', 'rest'].map((group) => `() => import('group:${group}.${language}.js')`).join(', ');
    return `const files = { en: [${load('en')}], ko: [${load('ko')}] };
      const word = (line) => {
        const [one, other] = line.split('\\t');
        return other ? { one, other } : one;
      };
      export const numbered = { en: [], ko: [] };
      export const spoken = async (area, language) => {
        const [from, list, by] = (await files[language][${JSON.stringify(first)}.includes(area) ? 0 : 1]()).default;
        list.split('\\n').forEach((line, i) => numbered[language][from + i] = word(line));
        const [, ...lines] = by.split('\\n\\n').map((lines) => lines.split('\\n')).find(([name]) => name === area);
        return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(' ')), word(line.slice(line.indexOf(' ') + 1))]));
      };`;
  };

  return {
    /** What is said instead of the names of words. */
    numbers,

    /** groupNamed is the source of a module that is made here. @param {string} name */
    groupNamed: async (name) => {
      if (name === 'words') return directory();
      if (name === 'screens') return "export const screenIn = async (at) => ({ default: (await import('group:rest.js')).default[at] });";
      if (name === 'rest.js') return rest();
      const [group, language] = name.split('.');
      return wordsOf(group, language);
    },

    /** grouped is the source of a module that loads screens or words, loading their groups. @param {string} text */
    grouped: (text) => {
      const says = [wordsImport, wordsLook, wordsArea].every((part) => text.includes(part));
      if (!says && text.includes('../words/')) throw new Error('words are loaded or found in another way than groups.mjs knows');
      if (says) {
        const found = `(area ? ${wordsLook} : (loads.value, numbered[language.value][name]))`;
        const area = `(typeof name === 'number' ? '' : ${wordsArea})`;
        return `import { numbered, spoken } from 'group:words';\n${text.replace(wordsImport, 'await spoken(area, lang)').replace(wordsLook, found).replace(wordsArea, area)}`;
      }
      const loads = text.replace(screenImport, (_, of) => `screenIn(${screens.indexOf(of)})`);
      return loads === text ? text : `import { screenIn } from 'group:screens';\n${loads}`;
    },
  };
}

/** line is a word as a line of text. @param {string | { one: string, other: string }} word */
function line(word) {
  const text = typeof word === 'string' ? word : `${word.one}\t${word.other}`;
  if (text.includes('\n') || (typeof word === 'string' && text.includes('\t'))) throw new Error(`a word has a line of its own or a tab: ${text}`);
  return text;
}
