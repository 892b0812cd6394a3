/** Abbreviations that never end a sentence, without their final period. */
const abbreviations = new Set([
  'e.g',
  'eg',
  'i.e',
  'ie',
  'a.k.a',
  'w.r.t',
  'vs',
  'cf',
  'viz',
  'approx',
  'incl',
  'resp',
  'esp',
]);
/** "e. g." and "i. e.", after either period. */
const spaced = /\b(?:e\. g|i\. e)\.(?: \S?\S?)?$/i;
/** Abbreviations that don't end a sentence before a lowercase word: "etc. and so on", "Acme Inc. uses". */
const maybeAbbreviations = new Set([
  'etc',
  'al',
  'inc',
  'ltd',
  'corp',
  'jr',
  'sr',
  'ed',
  'est',
  'dept',
  'a.m',
  'p.m',
  'u.s',
]);
/** Abbreviations only before a number: "max. 10", "No. 5". */
const beforeNumbers = new Set(['no', 'nr', 'fig', 'max', 'min', 'ca', 'sec', 'ch', 'ver', 'v', 'vol', 'pp', 'p', 'eq']);
/** Abbreviated titles before a name. */
const titles = new Set(['mr', 'mrs', 'ms', 'dr', 'prof', 'st']);

// Starts at the beginning of a run of marks: otherwise the rest of the run would be scanned again at each mark.
const mark = /(?<![.!?])[.!?]+["'”’)\]]*\s+(?=\S)/g;
const lastWord = /[\p{L}\p{N}.]+$/u;
const initial = /\p{Lu}\p{L}+\s+\p{Lu}$/u;
const surname =
  /^(?!(?:It|Its|This|That|The|These|They|Then|There|In|A|An|You|We|But|And|So|If|For|With)\b)\p{Lu}\p{Ll}/u;

/** Context on either side of a period. Longer than any abbreviation or name; bounded because the expressions take quadratic time. */
const tailLength = 60;
/** Longer sentences are split between words, because processing a sentence may take quadratic time. */
export const sentenceMaxLength = 2000;

/** Whether a period between two pieces of text ends a sentence. */
function endsSentence(text: string, after: string): boolean {
  const before = text.slice(-tailLength);
  const word = lastWord.exec(before)?.[0] ?? '';
  const key = word.toLowerCase().replace(/^\.+/, '');
  if (abbreviations.has(key) || titles.has(key)) return false;
  if (spaced.test(`${before}. ${after.slice(0, 2)}`)) return false;
  if (maybeAbbreviations.has(key) && /^[\p{Ll}(]/u.test(after)) return false;
  if (beforeNumbers.has(key) && /^\d/.test(after)) return false;
  // "Edgar F. Codd", but "It is written in C. Java came later".
  return !(word.length === 1 && initial.test(before) && surname.test(after));
}

const openings = '([{`';
const closings = ')]}`';

/** For each character, whether it is inside brackets or inline code; unclosed ones are ignored. */
export function findEnclosed(text: string): boolean[] {
  /** The change in nesting depth at each character. */
  const changes = new Array<number>(text.length + 1).fill(0);
  const open: { closing: string; at: number }[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    const top = open.at(-1);
    if (top?.closing === character) {
      open.pop();
      changes[top.at]! += 1;
      changes[at + 1]! -= 1;
    } else if (openings.includes(character) && top?.closing !== '`') {
      open.push({ closing: closings[openings.indexOf(character)]!, at });
    }
  }
  let depth = 0;
  return changes.slice(0, text.length).map((change) => {
    depth += change;
    return depth > 0;
  });
}

/** Splits a text that exceeds the maximum length of a sentence, between words if possible. */
function withinLength(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  while (text.length - from > sentenceMaxLength) {
    const space = text.lastIndexOf(' ', from + sentenceMaxLength);
    const to = space > from ? space : from + sentenceMaxLength;
    parts.push(text.slice(from, to).trim());
    from = to;
  }
  return [...parts, text.slice(from).trim()].filter((part) => part !== '');
}

/**
 * The sentences of a paragraph, in order, trimmed. Periods in abbreviations ("e.g. Redis"), names ("Node.js"),
 * numbers, versions, brackets and inline code don't end one.
 */
export function splitSentences(paragraph: string): string[] {
  const enclosed = findEnclosed(paragraph);
  const sentences: string[] = [];
  let from = 0;
  for (const { index, 0: found } of paragraph.matchAll(mark)) {
    const to = index + found.length;
    if (enclosed[index]) continue;
    const after = paragraph.slice(to, to + tailLength);
    if (found.startsWith('..') && /^\p{Ll}/u.test(after)) continue;
    if (/^\.[^.!?]*$/.test(found) && !endsSentence(paragraph.slice(from, index), after)) continue;
    sentences.push(...withinLength(paragraph.slice(from, to).trim()));
    from = to;
  }
  return [...sentences, ...withinLength(paragraph.slice(from).trim())];
}
