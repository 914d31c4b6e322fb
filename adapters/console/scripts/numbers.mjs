// The names of words are numbers in dist/, and words are lists: t('orders.refund') is t(159), so that no name is sent. Words that say
// the same in all languages have one number, in the order in which they are said first: what is said near each other has numbers that are
// nearly the same text. What is said by a name that is put together, such as `orders.state-${state}`, keeps it.
import { existsSync, readFileSync, readdirSync } from 'node:fs';

/** Words that are found by what the API names, and not said by name. */
export const ofSchema = ['roles'];

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

  /** @type {Map<string, { always: boolean, names: string[], en: unknown, ko: unknown }>} words by what they say */
  const bySaying = new Map();
  for (const area of areas) {
    const [en, ko] = await Promise.all([wordsIn(area, 'en'), wordsIn(area, 'ko')]);
    for (const name of Object.keys(en).filter((one) => isSaid(area, one))) {
      const says = JSON.stringify([en[name], ko[name]]);
      if (!bySaying.has(says)) bySaying.set(says, { always: first.includes(area), names: [], en: en[name], ko: ko[name] });
      bySaying.get(says).names.push(`${area}.${name}`);
    }
  }
  const place = ({ names: said }) => Math.min(...said.map((name) => code.indexOf(`'${name}'`)).filter((at) => at >= 0));
  const places = new Map([...bySaying.values()].map((word) => [word, place(word)]));
  const list = [...places.keys()].sort((a, b) => Number(b.always) - Number(a.always) || places.get(a) - places.get(b));

  return {
    /** @type {Map<string, number>} what is said instead of a name */
    numbers: new Map(list.flatMap(({ names: said }, i) => said.map((name) => [name, i]))),

    /** numbered is the words that have numbers, those that are always there or all others, as a list from the lowest one on. @param {boolean} always @param {'en' | 'ko'} language */
    numbered: (always, language) => {
      const of = list.filter((word) => word.always === always);
      return { from: list.indexOf(of[0]), list: of.map((word) => word[language]) };
    },

    /** named is the words of an area that keep their names. @param {string} area @param {'en' | 'ko'} language */
    named: async (area, language) => Object.fromEntries(Object.entries(await wordsIn(area, language)).filter(([name]) => !isSaid(area, name))),
  };
}
