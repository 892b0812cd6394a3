import { pointShares, stateOf } from '@interview-prep/contracts/recording/point-states';
import type { Assessment, Point, PointState, Word } from '@interview-prep/contracts/recording/recordings';
import { correctFromPercentage } from '@interview-prep/contracts/recording/shown-verdict';
import { rangeOf } from '../engines/add-up-points.ts';
import type { Assessor } from '../engines/assessor.ts';
import type { Recording } from '../recordings/model.ts';
import { type Session, withSetOfQuestion } from '../sessions/model.ts';
import { findExpertAnswer } from '../sets/find-set.ts';
import type { StageDeps } from '../stages/run-stage.ts';

type Claim = NonNullable<Recording['claim']>;
type ClaimDeps = Pick<StageDeps, 'models'> & { assessor: Assessor };

/** The judge's finding about a point in a passage. `credit` is out of 100. */
type Finding = { state: PointState } & Pick<Point, 'reason' | 'how' | 'confidence' | 'creditRange'>;

/** Unpunctuated sentences are cut after this many words on either side of a claim. */
const contextWords = 30;

/** The claimed words with the rest of their sentences. */
function withContext(words: readonly Word[], { firstWord, lastWord }: Claim): Word[] {
  const endsSentence = (at: number) => /[.!?]$/.test(words[at]?.word ?? '');
  let from = firstWord;
  while (from > Math.max(0, firstWord - contextWords) && !endsSentence(from - 1)) from -= 1;
  let to = lastWord;
  while (to < Math.min(words.length - 1, lastWord + contextWords) && !endsSentence(to)) to += 1;
  return words.slice(from, to + 1);
}

/**
 * Judges a claimed point using only the words that the candidate named. If they make the point better than the whole answer did,
 * and their sentence does not contradict it, the point and the score rise; the verdict keeps the earlier finding as
 * `machine`.
 * @returns the recording's new verdict; the old one if the point no longer exists
 * @throws what the assessor throws
 */
export async function judgeClaim(
  recording: Recording & { claim: Claim },
  session: Session,
  { assessor, models }: ClaimDeps,
  { signal, isLastAttempt }: { signal: AbortSignal; isLastAttempt: boolean },
): Promise<Partial<Recording>> {
  const { claim, transcription, questionId } = recording;
  const before = { ...recording.assessment, status: 'completed' } as Assessment;
  const point = before.points?.[claim.point];
  const heard = transcription.words ?? [];
  const words = heard.slice(claim.firstWord, claim.lastWord + 1);
  if (!point || words.length === 0) return { assessment: before, claim: null };
  const expert = await findExpertAnswer(withSetOfQuestion(session, questionId), questionId, models.sets);
  const acceptedWordings = expert?.points.find(({ text }) => text === point.text)?.acceptedWordings ?? [];
  const judge = async (stretch: readonly Word[]): Promise<Finding> => {
    const verdict = await assessor.assess({
      question: session.questions[questionId] ?? '',
      transcript: textOf(stretch),
      words: stretch,
      expertAnswer: point.text,
      points: [{ text: point.text, acceptedWordings, weight: 1, optional: false }],
      signal,
      isLastAttempt,
    });
    const { state, reason, how, confidence, creditRange } = verdict.points[0] ?? {};
    return { state: state ?? 'missing', reason: reason ?? verdict.reason, how, confidence, creditRange };
  };

  const isBetter = ({ state }: Finding) => pointShares[state] > pointShares[stateOf(point)];
  let finding = await judge(words);
  if (isBetter(finding)) {
    // The claimed words may be preceded by "not".
    const context = withContext(heard, claim);
    const inContext = context.length > words.length ? await judge(context) : finding;
    const wasContradicted = stateOf(point) === 'contradicted';
    if (inContext.state === 'contradicted' || (wasContradicted && !isBetter(inContext))) finding = inContext;
  }

  const points = [...(before.points ?? [])];
  const presented = presentClaim(claim, words, point, finding);
  points[claim.point] = isBetter(finding) ? raisedPoint(point, presented, finding) : { ...point, claim: presented };
  const credit = points[claim.point]?.credit;
  const percentage = Math.min(100, (recording.correctnessPercentage ?? 0) + (credit ?? 0) - (point.credit ?? 0));
  const { range: _before, ...rest } = before;
  const range = rangeOf(points);
  return {
    assessment: { ...rest, points, ...(range ? { range } : {}) },
    ...(isBetter(finding) ? { correctnessPercentage: percentage, isCorrect: percentage >= correctFromPercentage } : {}),
    claim: null,
  };
}

const wordsAreGone = 'The transcript no longer has these words.';

/**
 * Rejudges the claims from the previous verdict, using the words that replaced the claimed ones.
 * A claim whose words are gone is marked so; a claim of a point that is now covered is dropped.
 * @param recording with its new verdict and transcript
 * @throws what the assessor throws
 */
export async function keepClaims(
  recording: Recording,
  before: Assessment,
  session: Session,
  deps: ClaimDeps,
  work: { signal: AbortSignal; isLastAttempt: boolean },
): Promise<Partial<Recording>> {
  let changed: Partial<Recording> = {};
  for (const { text, claim } of before.points ?? []) {
    const { assessment, transcription } = { ...recording, ...changed };
    const words = transcription.words ?? [];
    const points = [...(assessment.points ?? [])];
    const at = points.findIndex((point) => point.text === text && !point.covered);
    if (!claim || at === -1 || words.length === 0 || assessment.status !== 'completed') continue;
    const isClaimed = ({ startMs, endMs }: Word) => startMs < claim.endMs && endMs > claim.startMs;
    const firstWord = words.findIndex(isClaimed);
    if (firstWord === -1) {
      const last = words.length - 1;
      const places = { firstWord: Math.min(claim.firstWord, last), lastWord: Math.min(claim.lastWord, last) };
      const finding = { state: 'missing' as const, reason: wordsAreGone, ...creditFor(points[at]!, 'missing') };
      points[at] = { ...points[at]!, claim: { ...claim, ...places, ...finding } };
      changed = { ...changed, assessment: { ...assessment, points } };
      continue;
    }
    const moved = { point: at, firstWord, lastWord: words.findLastIndex(isClaimed) };
    changed = { ...changed, ...(await judgeClaim({ ...recording, ...changed, claim: moved }, session, deps, work)) };
  }
  return changed;
}

const textOf = (words: readonly Word[]): string => words.map(({ word }) => word).join(' ');

/** The share of a point's weight that a state earns; empty if the verdict has no weights. */
const creditFor = ({ weight }: Point, state: PointState) =>
  weight === undefined ? {} : { credit: Math.round(weight * pointShares[state]) };

function presentClaim({ firstWord, lastWord }: Claim, words: readonly Word[], point: Point, finding: Finding) {
  const { state, reason } = finding;
  return {
    firstWord,
    lastWord,
    text: textOf(words),
    startMs: words[0]!.startMs,
    endMs: words.at(-1)!.endMs,
    state,
    ...creditFor(point, state),
    ...(reason ? { reason } : {}),
  };
}

/** A point with the credit that the claimed words earn. Keeps `made` and `contradicted`, which describe the whole answer. */
function raisedPoint(
  { nearest: _n, reason: before, confidence: _c, creditRange: _r, across: _a, how: _h, ...point }: Point,
  claim: NonNullable<Point['claim']>,
  { state, reason, how, confidence, creditRange }: Finding,
): Point {
  const { weight = 0, evidence, credit } = point;
  const part = (of100: number) => Math.round((weight * of100) / 100);
  return {
    ...point,
    claim,
    covered: state === 'covered',
    state,
    evidence: claim.text,
    firstWord: claim.firstWord,
    lastWord: claim.lastWord,
    startMs: claim.startMs,
    endMs: claim.endMs,
    ...creditFor(point, state),
    ...(how ? { how } : {}),
    ...(confidence === undefined ? {} : { confidence }),
    ...(creditRange ? { creditRange: { from: part(creditRange.from), to: part(creditRange.to) } } : {}),
    machine: point.machine ?? {
      state: stateOf(point),
      evidence,
      ...(credit === undefined ? {} : { credit }),
      ...(before ? { reason: before } : {}),
    },
    ...(reason ? { reason } : {}),
  };
}
