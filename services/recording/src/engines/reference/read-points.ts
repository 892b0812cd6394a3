import type { ExpertPoint } from '@interview-prep/contracts/catalog/expert-points';
import type { Word } from '@interview-prep/contracts/recording/recordings';
import { findMisheard, withTerms } from '../../glossary/find-misheard.ts';
import { findRecital } from '../find-recital.ts';
import type { PointFigures } from '../thresholds.ts';
import type { JudgeContext } from './judge-model.ts';
import { applyReversals, figuresOf, type JudgedWindow, takesBack } from './rule.ts';
import { type Window, windowsOf } from './windows.ts';

/** The judge's reading of one point. */
export interface PointReading {
  figures: PointFigures;
  /** The point's own text, or the accepted wording that matches best. */
  statement: string;
  /** The answer's words as they were read. */
  words: readonly string[];
  windows: readonly JudgedWindow[];
  /** Whether words were read as a term that sounds like them. */
  bySound: boolean;
}

/** An answer, ready to be judged. */
export interface SpokenAnswer {
  question: string;
  words: readonly string[];
  /** The words with their times; empty if unknown. */
  times: readonly Word[];
}

const keyOf = (statement: string, passage: string): string => `${statement}\n${passage}`;

/**
 * Judges an answer for each point: compares its text and accepted wordings with every window of the answer, both as it was
 * heard and with words replaced by terms of the point that sound like them. The best combination counts.
 * @throws what the model throws
 */
export async function readPoints(
  { question, words, times }: SpokenAnswer,
  points: readonly ExpertPoint[],
  { model, signal }: Omit<JudgeContext, 'thresholds'>,
): Promise<PointReading[]> {
  const versionOf = (read: readonly string[], bySound: boolean) => ({
    words: read,
    windows: windowsOf(read, times),
    bySound,
  });
  const asHeard = versionOf(words, false);
  // Windows that several versions share are judged once.
  const pairs = new Map<string, readonly [statement: string, passage: string]>();
  const planned = points.map(({ text, acceptedWordings }) => {
    const statements = [text, ...acceptedWordings];
    const misheard = findMisheard(statements.join(' '), words, times);
    const versions = misheard.length > 0 ? [asHeard, versionOf(withTerms(words, misheard), true)] : [asHeard];
    return statements.flatMap((statement) =>
      versions.map((version) => {
        for (const { text: passage } of version.windows) pairs.set(keyOf(statement, passage), [statement, passage]);
        return { ...version, statement };
      }),
    );
  });
  const judged = await model.judge({ question, pairs: [...pairs.values()] }, signal);
  const figures = new Map([...pairs.keys()].map((key, at) => [key, judged[at]!]));
  return planned.map((readings) => {
    const read = readings.map((reading): PointReading => {
      const { words: said, statement } = reading;
      const judgedAt = ({ text }: Window) => figures.get(keyOf(statement, text))!;
      const found = reading.windows.map((window): JudgedWindow => ({ ...window, ...judgedAt(window) }));
      const place = findRecital(said, statement);
      const recital = place && { ...place, text: statement, sentences: 1, made: 1, contradicted: 0 };
      // If a statement is recited word for word, only a retraction counts against it.
      const windows = recital
        ? applyReversals([recital, ...found.filter(({ firstWord }) => firstWord > recital.lastWord)]).filter(
            (window) => window.firstWord <= recital.lastWord || takesBack(window, recital.lastWord, said),
          )
        : applyReversals(found);
      return { ...reading, windows, figures: figuresOf(windows, reading, question) };
    });
    const best = read.reduce((one, other) => (other.figures.made > one.figures.made ? other : one));
    // Contradictions are judged by the point's own text: an accepted wording may be ambiguous.
    const { contradicted } = read[0]!.figures;
    return { ...best, figures: { made: best.figures.made, contradicted } };
  });
}
