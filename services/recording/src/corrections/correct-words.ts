import type { Word } from '@interview-prep/contracts/recordings';
import { diffArrays } from 'diff';

const essence = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/**
 * The words of a corrected transcript. Words that were heard so keep their time and confidence. The others are marked as
 * edited, and share the time of the words that they replace, or of the gap that they fill.
 * @param heard what the engine heard, in order; without words there are no times to keep, and the result is empty
 */
export function correctWords(heard: readonly Word[], text: string): Word[] {
  if (heard.length === 0) return [];
  const tokens = text.split(/\s+/).filter((token) => essence(token) !== '');
  const changes = diffArrays(
    heard.map(({ word }) => essence(word)),
    tokens.map(essence),
  );
  const corrected: Word[] = [];
  let nextHeard = 0;
  let nextToken = 0;
  /** Where the words begin that are being replaced. */
  let replacedFrom = 0;
  const addEdited = (count: number, untilHeard: number) => {
    const replaced = heard.slice(replacedFrom, untilHeard);
    const fromMs = replaced[0]?.startMs ?? corrected.at(-1)?.endMs ?? 0;
    const toMs = Math.max(fromMs, replaced.at(-1)?.endMs ?? heard[untilHeard]?.startMs ?? fromMs);
    for (let at = 0; at < count; at++) {
      const timeAt = (step: number) => Math.round(fromMs + ((toMs - fromMs) * step) / count);
      const word = tokens[nextToken + at]!;
      corrected.push({ word, startMs: timeAt(at), endMs: timeAt(at + 1), confidence: null, edited: true });
    }
    nextToken += count;
  };
  let pending = 0;
  for (const { added, removed, count } of changes) {
    if (added) pending += count;
    else if (removed) nextHeard += count;
    else {
      addEdited(pending, nextHeard);
      pending = 0;
      for (let at = 0; at < count; at++) corrected.push({ ...heard[nextHeard + at]!, word: tokens[nextToken + at]! });
      nextHeard += count;
      nextToken += count;
      replacedFrom = nextHeard;
    }
  }
  addEdited(pending, nextHeard);
  return corrected;
}
