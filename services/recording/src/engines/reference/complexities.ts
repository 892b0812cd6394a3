/** Adjectives for what a cost grows by, and the formula that each stands for. */
const named: ReadonlyMap<string, string> = new Map([
  ['constant', '1'],
  ['logarithmic', 'logn'],
  ['linear', 'n'],
  ['linearithmic', 'nlogn'],
  ['quadratic', 'n^2'],
  ['cubic', 'n^3'],
  ['exponential', '2^n'],
]);
/** These are used of costs alone; the others need a word such as "time" beside them. */
const alwaysCosts = 'logarithmic|linearithmic|quadratic|cubic';
const cost = '(?: time| complexity| cost)';
const afterCost = '(?= in the (?:worst|best|average)| on average| at worst)';

const variable = '[nkmve]';
const power = '(?: ?\\^ ?[23]| ?\\*\\* ?[23]|²|³|[23](?!\\d)| squared?| cubed)';
const log = 'log(?:arithm)?(?: of)? ?';
const factor = `(?:${log}${variable}|${variable}${power}?|2 ?\\^ ?n|(?:two|2) to the n)`;
const times = '(?: ?\\* ?| times | )';
const product = `${factor}(?:${times}?${factor})?`;
const sum = `${product}(?: ?(?:\\+|plus) ?${product})?`;
const inner = `${[...named.keys()].join('|')}|1|one|${sum}`;

/** A cost in text of lower case: "o(log n)", "o of n", "big o of one", "linear time", "n times log k", "n squared". */
export const complexityPattern = new RegExp(
  [
    `\\b(?:big )?o ?\\( ?(?:${inner}) ?\\)`,
    `\\b(?:big o|order|o) (?:of )?(?:${inner})\\b`,
    `\\b(?:${alwaysCosts})\\b${cost}?`,
    `\\b(?:constant|linear|exponential)(?:${cost}|${afterCost})`,
    `\\b(?:${variable}${times}?)?${log}${variable}\\b(?: time)?`,
    `\\b${variable} (?:squared|cubed)\\b`,
  ].join('|'),
);

/** The formula of a cost that `complexityPattern` found, without blanks: "nlogn". */
export function complexityOf(found: string): string {
  const formula = found
    .replace(/^(?:big )?o ?\( ?(.*?) ?\)$/, '$1')
    .replace(/^(?:big o|order|o) (?:of )?/, '')
    .replace(/ (?:time|complexity|cost)$/, '');
  return (
    named.get(formula) ??
    formula
      .replaceAll(/\bone\b/g, '1')
      .replaceAll(/\b(?:two|2) to the n/g, '2^n')
      .replaceAll(/ squared?|²| ?\*\* ?2/g, '^2')
      .replaceAll(/ cubed|³| ?\*\* ?3/g, '^3')
      .replaceAll(/(?<=[a-z])([23])$/g, '^$1')
      .replaceAll(/log(?:arithm)?(?: of)?/g, 'log')
      .replaceAll(/\bplus\b/g, '+')
      .replaceAll(/\btimes\b|[ *]/g, '')
      .replace(/^nn$/, 'n^2')
  );
}

/** The formula that an adjective alone stands for ("it is linear"); undefined where it is none of cost. */
export function formulaOf(adjective: string): string | undefined {
  return named.get(adjective);
}
