/** Sounds that are not words. */
const fillers = new Set(['hmm', 'mm', 'mhm', 'mmm', 'uh', 'um', 'uhm', 'er', 'erm']);

/** Irregular contractions come first, since the general endings would split them wrongly. */
const contractions: readonly (readonly [RegExp, string])[] = [
  [/\bwon't\b/g, 'will not'],
  [/\bcan't\b/g, 'can not'],
  [/\bcannot\b/g, 'can not'],
  [/\blet's\b/g, 'let us'],
  [/\b(it|he|she|that|there|what|where|who|here)'s\b/g, '$1 is'],
  [/n't\b/g, ' not'],
  [/'re\b/g, ' are'],
  [/'ve\b/g, ' have'],
  [/'ll\b/g, ' will'],
  [/'d\b/g, ' would'],
  [/'m\b/g, ' am'],
];

const abbreviations: Record<string, string> = { mr: 'mister', mrs: 'missus', dr: 'doctor', vs: 'versus', ok: 'okay' };

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const tens = '- - twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

/** Unifies British and American spelling. Applied to both sides, so mangling words like 'promise' is harmless. */
const spellings: readonly (readonly [RegExp, string])[] = [
  [/^(\w{3,})is(e[ds]?|er|ers|ing|ations?)$/, '$1iz$2'],
  [/^(\w{2,})our(s|ed|ing)?$/, '$1or$2'],
  [/^(\w{3,}[^l])tre$/, '$1ter'],
];

function numberOf(words: readonly string[], at: number): { value: number; words: number } | null {
  const ten = tens.indexOf(words[at]!);
  const one = small.indexOf(words[at]!);
  if (ten < 2) return one < 0 ? null : { value: one, words: 1 };
  const next = small.indexOf(words[at + 1] ?? '');
  return next > 0 && next < 10 ? { value: ten * 10 + next, words: 2 } : { value: ten * 10, words: 1 };
}

/**
 * The words of an English text, normalized for comparison like Whisper's English normalizer does: lower case, without
 * bracketed text, fillers and punctuation, with expanded contractions, numbers under a hundred as digits, and one spelling
 * for British and American words. 'event-driven' equals 'event driven', but 'WebSocket' differs from 'web socket'.
 */
export function normalizeEnglish(text: string): string[] {
  let plain = text
    .toLowerCase()
    .replace(/[‘’]/g, "'")
    .replace(/\[[^\]]*\]|\([^)]*\)/g, ' ');
  for (const [from, to] of contractions) plain = plain.replace(from, to);
  const words = plain
    .replace(/(\d),(?=\d{3})/g, '$1')
    .replace(/'s\b/g, 's')
    .replace(/\.(?!\d)|[^\p{L}\p{N}.]+/gu, ' ')
    .split(' ')
    .filter((word) => word !== '' && !fillers.has(word));
  const shown: string[] = [];
  for (let at = 0; at < words.length; ) {
    const number = numberOf(words, at);
    shown.push(number ? String(number.value) : oneSpelling(abbreviations[words[at]!] ?? words[at]!));
    at += number?.words ?? 1;
  }
  return shown;
}

const oneSpelling = (word: string): string =>
  spellings.reduce((spelled, [from, to]) => spelled.replace(from, to), word);
