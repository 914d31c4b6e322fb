// The names of words are numbers in dist/, and words are lists: t('orders.refund') is t('4f'), so that no name is sent. Words that say
// the same in all languages have one number. What is said by a name that is put together, such as `orders.state-${state}`, keeps it.
import { existsSync, readFileSync, readdirSync } from 'node:fs';

/** Words that are found by what the API names, and not said by name. */
export const ofSchema = ['permissions', 'roles'];

/**
 * numbering is which words are said by number.
 * @param {string} root the folder with files/, with a slash at its end
 * @param {string[]} first the areas whose words are always there: their numbers are the lowest
 */
export async function numbering(root, first) {
  const names = readdirSync(`${root}files`, { recursive: true }).filter((name) => name.endsWith('.js') && !name.startsWith('vendor/'));
  const code = names.filter((name) => !name.startsWith('words/')).map((name) => readFileSync(`${root}files/${name}`, 'utf8')).join('\n');
  const begun = [...new Set([...code.matchAll(/`([a-z]+\.[\w-]*)\$\{/g)].map(([, start]) => start))];
  const isSaid = (area, name) => !ofSchema.includes(area) && !begun.some((start) => `${area}.${name}`.startsWith(start));
  const areas = [...new Set(names.map((name) => /^words\/(\w+)\./.exec(name)?.[1]).filter(Boolean))].sort((a, b) => first.includes(b) - first.includes(a));

  async function wordsIn(area, language) {
    if (!existsSync(`${root}files/words/${area}.${language}.js`)) return {};
    const text = readFileSync(`${root}files/words/${area}.${language}.js`, 'utf8');
    return (await import(`data:text/javascript,${encodeURIComponent(text)}`)).default;
  }

  /** @type {Map<string, string>} what is said instead of a name */
  const numbers = new Map();
  /** @type {Map<string, { area: string, en: unknown, ko: unknown }>} words by what they say, in the order of their numbers */
  const list = new Map();
  for (const area of areas) {
    const [en, ko] = await Promise.all([wordsIn(area, 'en'), wordsIn(area, 'ko')]);
    for (const name of Object.keys(en).filter((one) => isSaid(area, one))) {
      const says = JSON.stringify([en[name], ko[name]]);
      if (!list.has(says)) list.set(says, { area, en: en[name], ko: ko[name] });
      numbers.set(`${area}.${name}`, [...list.keys()].indexOf(says).toString(36));
    }
  }

  return {
    numbers,

    /** numbered is the words of areas that have numbers, as a list from the lowest one on. @param {string[]} of @param {'en' | 'ko'} language */
    numbered: (of, language) => {
      const all = [...list.values()];
      return { from: all.findIndex(({ area }) => of.includes(area)), list: all.filter(({ area }) => of.includes(area)).map((word) => word[language]) };
    },

    /** named is the words of an area that keep their names. @param {string} area @param {'en' | 'ko'} language */
    named: async (area, language) => Object.fromEntries(Object.entries(await wordsIn(area, language)).filter(([name]) => !isSaid(area, name))),
  };
}
