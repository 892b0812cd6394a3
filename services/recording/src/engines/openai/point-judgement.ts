import type { ExpertPoint } from '@interview-prep/contracts/catalog/expert-points';
import { PointState, type Word } from '@interview-prep/contracts/recording/recordings';
import { z } from 'zod';
import { type JudgedPoints, type Place, pointsOf } from '../add-up-points.ts';
import { withoutJudgeAddresses } from '../judge-address.ts';

const plain = (word: string): string =>
  word
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}+#]/gu, '');

/** Finds a quote among spoken words, without regard to case and punctuation. Null where it was not said. */
function findQuote(quote: string, words: readonly string[]): Place | null {
  const wanted = quote.split(/\s+/).map(plain).filter(Boolean);
  const said = words.flatMap((word, index) => (plain(word) === '' ? [] : [{ text: plain(word), index }]));
  if (wanted.length === 0) return null;
  for (let at = 0; at + wanted.length <= said.length; at++) {
    if (!wanted.every((word, offset) => said[at + offset]?.text === word)) continue;
    return { firstWord: said[at]!.index, lastWord: said[at + wanted.length - 1]!.index };
  }
  return null;
}

const isShorterThan = (limit: number) => (value: string) => value.length <= limit;

/**
 * What the model says of each point. Bounds are refinements, which stay out of the JSON schema: strict servers refuse
 * schemas with keywords such as minLength.
 */
export const PointJudgements = z.object({
  points: z.array(
    z.object({
      number: z.number(),
      state: PointState,
      evidence: z.string().refine(isShorterThan(5000)),
      reason: z.string().refine(isShorterThan(1000)),
    }),
  ),
});
export type PointJudgements = z.infer<typeof PointJudgements>;

/**
 * Adds up what the model says. A point is made or contradicted only with a quote that occurs in the transcript and does
 * not speak to the judge; without one it is missing.
 */
export function addUpJudgements(
  expertPoints: readonly ExpertPoint[],
  judgements: PointJudgements['points'],
  said: readonly string[],
  times: readonly Word[],
): JudgedPoints {
  const answered = withoutJudgeAddresses(said);
  const judged = expertPoints.map((point, index) => {
    const judgement = judgements.find(({ number }) => number === index + 1);
    const claimed = judgement?.state ?? 'missing';
    const place = claimed === 'missing' ? null : findQuote(judgement?.evidence ?? '', answered);
    const state: PointState = place ? claimed : 'missing';
    const wasDropped = claimed !== 'missing' && place === null;
    const reason = wasDropped ? 'No words of the answer were quoted for this.' : judgement?.reason.trim();
    return { point, state, place, reason };
  });
  const { percentage, points } = pointsOf(judged, said, times);
  return {
    percentage,
    points: points.map((point, index) => ({
      ...point,
      ...(point.evidence !== '' && point.state !== 'contradicted' ? { how: 'meaning' as const } : {}),
      ...(judged[index]!.reason ? { reason: judged[index]!.reason } : {}),
    })),
  };
}
