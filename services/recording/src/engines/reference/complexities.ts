/** What a cost grows by, under the names that people write and say it. */
const spellings: ReadonlyArray<readonly [name: string, pattern: RegExp]> = [
  ['linearithmic', /n \*? ?log(?:arithm)?(?: of)? n|nlogn|n times log n|linearithmic/],
  ['logarithmic', /log(?:arithm)?(?: of)? ?n|logn|logarithmic/],
  ['quadratic', /n ?\^ ?2|n ?\*\* ?2|n²|n2|n squared|n square|n \*? ?n|quadratic/],
  ['cubic', /n ?\^ ?3|n³|n3|n cubed|cubic/],
  ['exponential', /2 ?\^ ?n|two to the n|2 to the n|exponential/],
  ['constant', /1|one|constant/],
  ['linear', /n|linear/],
];
const any = spellings.map(([, { source }]) => source).join('|');
const named = 'linearithmic|logarithmic|quadratic|cubic|exponential|constant|linear';

/** A complexity in text of lower case: "o(log n)", "o of n", "big o of one", "linear time", "log n time", "n log n". */
export const complexityPattern = new RegExp(
  `\\b(?:big )?o ?\\( ?(?:${any}) ?\\)|\\b(?:big o|order|o) (?:of )?(?:${any})\\b|\\b(?:${named})(?: time| complexity)\\b|\\b(?:n log n|log n)(?: time)?\\b|\\bn squared\\b`,
);

/** The name of a complexity that `complexityPattern` found. */
export function complexityOf(found: string): string {
  const inner = found
    .replace(/^(?:big )?o ?\( ?(.*?) ?\)$/, '$1')
    .replace(/^(?:big o|order|o) (?:of )?/, '')
    .replace(/ (?:time|complexity)$/, '');
  return spellings.find(([, pattern]) => new RegExp(`^(?:${pattern.source})$`).test(inner))?.[0] ?? inner;
}
