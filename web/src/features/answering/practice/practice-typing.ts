import { charactersOf, type TypingStep } from '../../../components/typing/typing-step.ts';

/** The letters of an English keyboard, by row. */
const rows = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'] as const;

/** A letter's left or right neighbor on the keyboard, in the same case; `random` (0–1) chooses. Null if not a letter. */
export function keyBeside(letter: string, random: number): string | null {
  // Some other characters have an ASCII letter as their lower case: the Kelvin sign has k.
  if (!/^[a-z]$/i.test(letter)) return null;
  const lower = letter.toLowerCase();
  const row = rows.find((keys) => keys.includes(lower));
  if (!row) return null;
  const place = row.indexOf(lower);
  const beside = [row[place - 1], row[place + 1]].filter((key) => key !== undefined);
  const key = beside[Math.floor(random * beside.length)];
  if (key === undefined) return null;
  return letter === lower ? key : key.toUpperCase();
}

/** Source: product specification, section 9, typing animation in practice session. */
export const practiceTyping = {
  startAfterMs: 800,
  characterMs: 50,
  afterWordMs: 200,
  pauseChance: 0.2,
  typoChance: 0.3,
  typoFromCharacters: 5,
} as const;

/** A short pause in milliseconds, from shortest to longest. */
const pauseMs = [250, 650] as const;

/** A typo is corrected at most this many words later. */
const correctedWithinWords = 3;

/** Returns numbers from 0 (inclusive) to 1 (exclusive). */
export type RandomSource = () => number;

interface Typo {
  at: number;
  right: string;
  wordsUntilCorrected: number;
}

/** Words that may get a typo: long enough, and without code marks, which a typo would break. */
const mayHaveTypo = (word: readonly string[]): boolean =>
  word.length >= practiceTyping.typoFromCharacters && !word.includes('`');

/** Picks a wrong letter after the first one; null if no letter of the word has a neighboring key. */
function typoIn(word: readonly string[], random: RandomSource): { index: number; wrong: string } | null {
  const places = word.flatMap((character, index) => (index > 0 && keyBeside(character, 0) !== null ? [index] : []));
  const index = places[Math.floor(random() * places.length)];
  if (index === undefined) return null;
  const wrong = keyBeside(word[index] ?? '', random());
  return wrong === null ? null : { index, wrong };
}

/**
 * Types an answer like a person: 50 ms per character, 200 ms after each word, occasional pauses, and if `typos` is
 * true, typos in some longer words, corrected some words later. The final text is always the answer.
 */
export function* practiceSteps(answer: string, random: RandomSource, typos: boolean): Generator<TypingStep> {
  const { startAfterMs, characterMs, afterWordMs, pauseChance, typoChance } = practiceTyping;
  const made: Typo[] = [];
  let length = 0;
  /** Extra delay before the next character. */
  let extraMs: number = startAfterMs;

  const type = (character: string, shown = character): TypingStep => {
    const step: TypingStep = { waitMs: characterMs + extraMs, edit: { type: 'append', text: shown } };
    extraMs = 0;
    length += character.length;
    return step;
  };
  const correct = ({ at, right }: Typo): TypingStep => {
    const step: TypingStep = { waitMs: characterMs + extraMs, edit: { type: 'replace', at, text: right } };
    extraMs = 0;
    return step;
  };

  for (const run of answer.match(/\s+|\S+/g) ?? []) {
    const characters = [...charactersOf(run)];
    if (/^\s/.test(run)) {
      for (const character of characters) yield type(character);
      continue;
    }
    const typo = typos && mayHaveTypo(characters) && random() < typoChance ? typoIn(characters, random) : null;
    for (const [index, character] of characters.entries()) {
      if (index !== typo?.index) {
        yield type(character);
        continue;
      }
      const wordsUntilCorrected = 1 + Math.floor(random() * correctedWithinWords);
      made.push({ at: length, right: character, wordsUntilCorrected });
      yield type(character, typo.wrong);
    }
    extraMs = afterWordMs;
    if (random() < pauseChance) extraMs += pauseMs[0] + random() * (pauseMs[1] - pauseMs[0]);
    for (const open of made) open.wordsUntilCorrected -= 1;
    while (made[0] && made[0].wordsUntilCorrected < 0) yield correct(made.shift() as Typo);
  }
  for (const typo of made) yield correct(typo);
}
