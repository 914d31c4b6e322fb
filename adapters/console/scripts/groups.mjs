// Which screens and words are sent together: areas that the same people work in are one file, so that what they repeat is sent once,
// and what several groups use is another. In the sources every screen and every file of words is loaded by itself.
import { existsSync, readFileSync, readdirSync } from 'node:fs';

/**
 * The areas by group: the first screen, the daily work, and the shop itself. Words that are in none have a file of their own.
 * @type {Record<string, string[]>}
 */
const groups = {
  first: ['common', 'list', 'login', 'shell', 'today'],
  work: ['carriers', 'customers', 'discounts', 'drafts', 'orders', 'packing', 'payments', 'returns', 'transfers'],
  shop: [
    'account', 'categories', 'content', 'entry', 'events', 'inbox', 'mails', 'media', 'permissions', 'products', 'records', 'roles', 'settings', 'setup', 'stock',
    'team', 'webhooks',
  ],
};
const groupOf = (area) => Object.keys(groups).find((group) => groups[group].includes(area)) ?? area;

/** What several groups use. */
const shared = ['base', 'parts', 'shell', 'screens/login', 'screens/records', 'screens/today'];

const screenImport = /import\('\.\.\/screens\/(\w+)\/(\w+)\.js'\)/g;
const wordsImport = '(await import(`../words/${key}.js`)).default';

/**
 * grouping is how modules are loaded by group. A group is a module that is made here: `work.js` has screens, `work.ko.js` words,
 * and `words` knows where the words of an area are.
 * @param {string} root the folder with files/, with a slash at its end
 */
export function grouping(root) {
  const names = readdirSync(`${root}files`, { recursive: true }).filter((name) => name.endsWith('.js'));
  const read = (name) => readFileSync(`${root}files/${name}`, 'utf8');

  /** What is loaded when it is needed, as area and module. */
  const screens = names.filter((name) => !/^(vendor|words)\//.test(name)).flatMap((name) => [...read(name).matchAll(screenImport)].map(([, ...of]) => of));
  const screensOf = (group) => {
    const both = shared.flatMap((folder) => names.filter((name) => name.startsWith(`${folder}/`))).map((name) => `import './files/${name}';`);
    const own = screens.filter(([area]) => groupOf(area) === group);
    const named = own.map(([area, name]) => `export { default as ${area}_${name} } from './files/screens/${area}/${name}.js';`);
    return [...both, ...new Set(named)].join('\n');
  };

  const spoken = [...new Set(names.filter((name) => name.startsWith('words/')).map((name) => name.split(/[/.]/)[1]))];
  const areasOf = (group, language) => spoken.filter((area) => groupOf(area) === group && existsSync(`${root}files/words/${area}.${language}.js`));
  const wordsOf = (group, language) => {
    const areas = areasOf(group, language);
    return [...areas.map((area) => `import ${area} from './files/words/${area}.${language}.js';`), `export default { ${areas.join(', ')} };`].join('\n');
  };
  const directory = () => {
    const all = (language) => [...new Set(spoken.map(groupOf))].filter((group) => areasOf(group, language).length > 0);
    const load = (language) => all(language).map((group) => `${group}: () => import('group:${group}.${language}.js')`).join(', ');
    const by = spoken.filter((area) => groupOf(area) !== area).map((area) => `${area}: '${groupOf(area)}'`);
    return `const groups = { ${by.join(', ')} }, files = { en: { ${load('en')} }, ko: { ${load('ko')} } };
      export const spoken = async (area, language) => (await files[language][groups[area] ?? area]()).default[area];`;
  };

  return {
    /** groupNamed is the source of a module that is made here. @param {string} name */
    groupNamed: (name) => {
      const [group, language] = name.split('.');
      return group === 'words' ? directory() : language === 'js' ? screensOf(group) : wordsOf(group, language);
    },

    /** grouped is the source of a module that loads screens or words, loading their groups. @param {string} text */
    grouped: (text) => {
      const says = text.includes(wordsImport);
      if (!says && text.includes('../words/')) throw new Error('words are loaded in another way than groups.mjs knows');
      const loads = text.replace(screenImport, (_, area, name) => {
        const both = [groupOf(area), 'shared'].map((group) => `import('group:${group}.js')`);
        return `Promise.all([${both}]).then(([all]) => ({ default: all.${area}_${name} }))`;
      });
      return says ? `import { spoken } from 'group:words';\n${loads.replace(wordsImport, 'await spoken(area, lang)')}` : loads;
    },
  };
}
