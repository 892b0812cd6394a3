import type { Word } from '@interview-prep/contracts/recording/recordings';
import { diffArrays } from 'diff';

const essence = (text: string) =>
  plainText(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '');

/** Symbols, and invisible characters except the joiners that some scripts need. */
const unspeakable = /[^\p{L}\p{M}\p{N}\p{P}\p{Sc}\p{Sk}\p{Sm}\s\u200c\u200d]/gu;

/** Removes lookalike letters such as ⓦⓞⓡⓓⓢ: a judge or reviewer could read them, but they wouldn't count as edits. */
export function plainText(text: string): string {
  return text.normalize('NFKC').replace(unspeakable, '').trim();
}

/** Diffing is quadratic in the edits. With more than this, the whole text counts as replaced. */
const editsMax = 4000;

/** The heard words from `fromHeard` up to `toHeard`, which the tokens from `fromToken` up to `toToken` replace. */
export interface Edit {
  fromHeard: number;
  toHeard: number;
  fromToken: number;
  toToken: number;
}

/** The words of a text, separated by whitespace. Tokens without a letter or digit don't count. */
export function spokenTokens(text: string): string[] {
  return text.split(/\s+/).filter((token) => essence(token) !== '');
}

/** The differences between a corrected transcript and the original, in order. Ignores case and punctuation. */
export function findEdits(heard: readonly string[], tokens: readonly string[]): Edit[] {
  const changes = diffArrays(heard.map(essence), tokens.map(essence), { maxEditLength: editsMax });
  if (!changes) return [{ fromHeard: 0, toHeard: heard.length, fromToken: 0, toToken: tokens.length }];
  const edits: Edit[] = [];
  let heardAt = 0;
  let tokenAt = 0;
  let edit: Edit | null = null;
  for (const { added, removed, count } of changes) {
    if (added || removed) {
      edit ??= { fromHeard: heardAt, toHeard: heardAt, fromToken: tokenAt, toToken: tokenAt };
      if (removed) edit.toHeard = heardAt += count;
      else edit.toToken = tokenAt += count;
      continue;
    }
    if (edit) edits.push(edit);
    edit = null;
    heardAt += count;
    tokenAt += count;
  }
  return edit ? [...edits, edit] : edits;
}

/**
 * The words of a corrected transcript. Unchanged words keep their time and confidence. The others are marked as
 * edited, and share the time of the words that they replace, or of the gap that they fill.
 * @param heard what the engine heard, in order; without words there are no times to keep, and the result is empty
 */
export function correctWords(heard: readonly Word[], text: string): Word[] {
  if (heard.length === 0) return [];
  const tokens = spokenTokens(text);
  const edits = findEdits(
    heard.map(({ word }) => word),
    tokens,
  );
  const corrected: Word[] = [];
  let nextHeard = 0;
  const keepUntil = (untilHeard: number) => {
    for (; nextHeard < untilHeard; nextHeard++)
      corrected.push({ ...heard[nextHeard]!, word: tokens[corrected.length]! });
  };
  for (const { fromHeard, toHeard, fromToken, toToken } of edits) {
    keepUntil(fromHeard);
    nextHeard = toHeard;
    const fromMs = (toHeard > fromHeard ? heard[fromHeard]!.startMs : corrected.at(-1)?.endMs) ?? 0;
    const lastMs = toHeard > fromHeard ? heard[toHeard - 1]!.endMs : (heard[toHeard]?.startMs ?? fromMs);
    const count = toToken - fromToken;
    const timeAt = (step: number) => Math.round(fromMs + ((Math.max(fromMs, lastMs) - fromMs) * step) / count);
    for (let at = 0; at < count; at++) {
      const word = tokens[fromToken + at]!;
      corrected.push({ word, startMs: timeAt(at), endMs: timeAt(at + 1), confidence: null, edited: true });
    }
  }
  keepUntil(heard.length);
  return corrected;
}
