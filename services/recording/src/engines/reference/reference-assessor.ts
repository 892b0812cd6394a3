import { derivePoints } from '@interview-prep/contracts/catalog/derive-points';
import { pointShares } from '@interview-prep/contracts/recording/point-states';
import type { CreditRange, Point, PointMatch, PointState, Word } from '@interview-prep/contracts/recording/recordings';
import { correctFromPercentage } from '@interview-prep/contracts/recording/shown-verdict';
import { saidShare } from '../../glossary/said-share.ts';
import { pointsOf, quoteOf, rangeOf, type StatedPoint } from '../add-up-points.ts';
import type { Assessor } from '../assessor.ts';
import type { Engine } from '../define-engine.ts';
import { askByTemplate } from '../follow-ups/ask-by-template.ts';
import { withoutJudgeAddresses } from '../judge-address.ts';
import { whyNoAnswer } from '../no-answer.ts';
import { confidenceOf, isUnsure, stateByFigures, type Thresholds } from '../thresholds.ts';
import { type Evidence, findEvidence } from './find-evidence.ts';
import { type JudgeModel, openJudgeModel } from './judge-model.ts';
import { findModelProblem, modelInfo } from './model-file.ts';
import { type PointReading, readPoints } from './read-points.ts';
import { bestWindow } from './rule.ts';

/** From this share of common words on, a point counts as made in the expert's words. */
const sameWordsFrom = 0.6;

/** From this figure on, a passage is close enough to a missing point to be quoted as its closest match. */
const nearestFrom = 0.1;

/** The shares of a point's weight that are possible if the judge is unsure of its state. */
const possibleShares: Record<PointState, readonly [least: number, most: number]> = {
  covered: [0.5, 1],
  partial: [0, 1],
  missing: [0, 0.5],
  contradicted: [0, 0.5],
};

/** Why a point has its state, for the candidate. */
const reasons: Record<Exclude<PointState, 'covered'> | PointMatch, string> = {
  contradicted: 'You said something that contradicts this.',
  missing: "You didn't mention this.",
  partial: 'You mentioned part of this.',
  sound: 'Counted with a term that sounds like what was heard.',
  words: "In the expert's words.",
  meaning: 'In your own words.',
};

const rounded = (figure: number) => Math.round(figure * 1000) / 1000;

/** A verdict with its points, whose credits add up to the percentage. */
interface Verdict {
  /** A whole number, 0–100. */
  percentage: number;
  range?: CreditRange;
  points: Point[];
}

const name = 'reference';
/** The engine as verdicts name it. */
export const referenceEngineName = `${name} ${modelInfo.name}`;

export interface ReferenceOptions {
  model?: JudgeModel;
  /** Thresholds fitted to reviewers' decisions about this model's verdicts; null if there are none. */
  readThresholds?: (() => Promise<Thresholds | null>) | undefined;
}

/**
 * Judges an answer point by point, looking for the passage that makes or contradicts each one. It judges statements, and
 * doesn't check whether examples are true. Works offline; the model runs in a child process.
 */
export function createReferenceAssessor({
  model = openJudgeModel(),
  readThresholds = async () => null,
}: ReferenceOptions = {}): Assessor {
  return {
    name,
    model: modelInfo.name,
    worksAhead: true,
    async assess({ question, transcript, words: times, expertAnswer = '', points: given, signal }) {
      signal.throwIfAborted();
      const points = given?.length ? given : derivePoints(expertAnswer);
      if (points.length === 0)
        return {
          status: 'unscored',
          isCorrect: null,
          correctnessPercentage: null,
          expertAnswer: '',
          points: [],
          engine: referenceEngineName,
          reason: 'There is no expert answer to judge this question by.',
        };
      const expert = expertAnswer || points.map(({ text }) => text).join('\n');
      const thresholds = (await readThresholds()) ?? modelInfo.thresholds;
      const deps = { model, thresholds, signal };
      const heard = times.length > 0 ? times.map(({ word }) => word) : transcript.split(/\s+/).filter(Boolean);
      const reason = whyNoAnswer({ question, transcript, expertAnswer: expert }, times.length > 0);
      const answer = { question, times, words: reason === null ? withoutJudgeAddresses(heard) : [] };
      const readings = await readPoints(answer, points, deps);
      const states = readings.map(({ figures }) => stateByFigures(figures, thresholds));
      const evidence = await findEvidence(question, readings, states, deps);
      const judged = readings.map((reading, at) => ({
        reading,
        point: points[at]!,
        state: states[at]!,
        place: evidence[at]!,
      }));
      const verdict = verdictOf(judged, { words: heard, times, thresholds });
      return {
        status: 'completed',
        expertAnswer: expert,
        engine: referenceEngineName,
        isCorrect: verdict.percentage >= correctFromPercentage,
        correctnessPercentage: verdict.percentage,
        points: verdict.points,
        ...(verdict.range ? { range: verdict.range } : {}),
        ...(reason === null ? {} : { reason }),
      };
    },
    async askFollowUp(request) {
      const text = askByTemplate(request);
      return text === null ? null : { text };
    },
    close: () => model.close(),
  };
}

/** The built-in judge, which compares with the expert's answer offline. */
export const referenceEngine: Engine<Assessor> = {
  name,
  findProblem: findModelProblem,
  create: (_settings, { readThresholds }) => createReferenceAssessor({ readThresholds }),
};

function howOf({ bySound, statement }: PointReading, quote: string): PointMatch {
  if (bySound) return 'sound';
  return saidShare(statement, quote) >= sameWordsFrom ? 'words' : 'meaning';
}

/** Adds up the credits of points, with a reason for each. @param words the answer's words, as they were heard */
function verdictOf(
  judged: readonly (StatedPoint & { reading: PointReading; place: Evidence | null })[],
  { words, times, thresholds }: { words: readonly string[]; times: readonly Word[]; thresholds: Thresholds },
): Verdict {
  const { percentage, points } = pointsOf(judged, words, times);
  const found = points.map((point, index): Point => {
    const { reading, state, place } = judged[index]!;
    const { figures } = reading;
    const { weight, credit } = point;
    const near = state === 'missing' ? bestWindow(reading.windows) : undefined;
    const how = howOf(reading, point.evidence);
    const [least, most] = possibleShares[state].map((share) => Math.round(weight * share)) as [number, number];
    return {
      ...point,
      ...(pointShares[state] > 0 ? { how } : {}),
      ...(place?.across ? { across: true } : {}),
      made: rounded(figures.made),
      contradicted: rounded(figures.contradicted),
      confidence: rounded(confidenceOf(state, figures)),
      ...(isUnsure(figures, thresholds, modelInfo.unsure)
        ? { creditRange: { from: Math.min(least, credit), to: Math.max(most, credit) } }
        : {}),
      reason: reasons[state === 'covered' ? how : state],
      ...(near && near.made >= nearestFrom ? { nearest: quoteOf(near, words, times) } : {}),
    };
  });
  const range = rangeOf(found);
  return { percentage, points: found, ...(range ? { range } : {}) };
}
