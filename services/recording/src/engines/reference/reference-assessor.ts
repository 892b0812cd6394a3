import { derivePoints } from '@interview-prep/contracts/catalog/derive-points';
import { correctFromPercentage } from '@interview-prep/contracts/recording/shown-verdict';
import type { Assessor } from '../assessor.ts';
import type { Engine } from '../define-engine.ts';
import { askByTemplate } from '../follow-ups/ask-by-template.ts';
import { withoutJudgeAddresses } from '../judge-address.ts';
import { whyNoAnswer } from '../no-answer.ts';
import { stateByFigures, type Thresholds } from '../thresholds.ts';
import { findEvidence } from './find-evidence.ts';
import { type JudgeModel, openJudgeModel } from './judge-model.ts';
import { findModelProblem, modelInfo } from './model-file.ts';
import { readPoints } from './read-points.ts';
import { verdictOf } from './verdict.ts';

const name = 'reference';
/** The engine as verdicts name it. */
export const referenceEngineName = `${name} ${modelInfo.name}`;

/** What the judge works with. */
export interface ReferenceOptions {
  model?: JudgeModel;
  /** Thresholds that were fitted to people's decisions about this model's verdicts; null where there are none. */
  readThresholds?: (() => Promise<Thresholds | null>) | undefined;
}

/**
 * Reads an answer point by point: for each point it looks for the passage that makes it, or contradicts it. It reads what was
 * said, not whether examples are true. Works offline; the model runs in a child process.
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

/** The built-in judge: compares with the expert's answer, offline. */
export const referenceEngine: Engine<Assessor> = {
  name,
  findProblem: findModelProblem,
  create: (_settings, { readThresholds }) => createReferenceAssessor({ readThresholds }),
};
