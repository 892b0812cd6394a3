import type { Assessment, AssessmentUsage } from '@interview-prep/contracts/recording/recordings';
import { applyCorrection } from '../corrections/correct-transcript.ts';
import { judgeClaim, keepClaims } from '../corrections/judge-claim.ts';
import { poorSoundReason } from '../delivery/judge-sound.ts';
import { prepareFollowUp } from '../follow-ups/prepare-follow-up.ts';
import type { Recording } from '../recordings/model.ts';
import { keptAppeal } from '../recordings/start-run.ts';
import { withSetOfQuestion } from '../sessions/model.ts';
import { findExpertAnswer } from '../sets/find-set.ts';
import type { StageDeps, StageHandler, StageOutcome } from './run-stage.ts';
import { silenceCheck } from './transcribe-stage.ts';

/** The `engine` of an answer that is left unjudged because its audio is too poor. */
const soundCheck = 'sound check';
const gapReason = 'Part of this answer could not be transcribed.';

/**
 * The assessment stage: compares the transcript with the expert answer, and a corrected transcript with the original. Empty transcripts, and those of poor audio,
 * are not sent to an engine.
 */
export function assessStage({ models, assessor, language }: StageDeps): StageHandler {
  const judge = async ({
    recording,
    session,
    signal,
    isLastAttempt,
  }: Omit<Parameters<StageHandler>[0], 'recording'> & { recording: Recording }): ReturnType<StageHandler> => {
    const { questionId, transcription } = recording;
    const expert = await findExpertAnswer(withSetOfQuestion(session, questionId), questionId, models.sets);
    // A correction by the candidate fills the gaps.
    const hasGaps = !transcription.correctedAt && transcription.gaps !== undefined;
    const withoutJudge = (
      { status, engine, reason }: { status: 'completed' | 'unscored'; engine: string; reason: string },
      score: Pick<Recording, 'isCorrect' | 'correctnessPercentage'>,
    ): StageOutcome => ({
      fields: {
        ...score,
        chatGPTResponse: expert?.text ?? '',
        assessment: { status, engine, points: [], reason, ...keptAppeal(recording) },
      },
      status,
      next: null,
    });
    if (transcription.text.trim() === '' && !hasGaps) {
      const engine = transcription.engine ?? silenceCheck;
      const verdict = { status: 'completed', engine, reason: 'No answer was heard.' } as const;
      return withoutJudge(verdict, { isCorrect: false, correctnessPercentage: 0 });
    }
    // Poor audio doesn't matter once the candidate has corrected the transcript.
    const poorSound = !transcription.correctedAt && recording.delivery && poorSoundReason(recording.delivery.sound);
    if (poorSound) {
      const verdict = { status: 'unscored', engine: soundCheck, reason: poorSound } as const;
      return withoutJudge(verdict, { isCorrect: null, correctnessPercentage: null });
    }
    const verdict = await assessor.assess({
      question: session.questions[questionId] ?? '',
      transcript: transcription.text,
      words: transcription.words ?? [],
      expertAnswer: expert?.text,
      points: expert?.points,
      signal,
      isLastAttempt,
    });
    // Don't fail an answer because of words that were not transcribed.
    const isOpen = hasGaps && verdict.status === 'completed' && !verdict.isCorrect;
    const open = { status: 'unscored', isCorrect: null, correctnessPercentage: null, reason: gapReason } as const;
    const { status, isCorrect, correctnessPercentage, reason } = isOpen ? open : verdict;
    const { points, engine } = verdict;
    const range = verdict.status === 'completed' && !isOpen ? verdict.range : undefined;
    const followUp = await prepareFollowUp(
      { recording, session, points, expert },
      { assessor, language: session.language ?? language, signal },
    );
    const usage = addUsage(verdict.status === 'completed' ? verdict.usage : undefined, followUp?.usage);
    return {
      fields: {
        isCorrect,
        correctnessPercentage,
        chatGPTResponse: verdict.expertAnswer,
        assessment: {
          status,
          engine,
          points,
          ...(range === undefined ? {} : { range }),
          ...(reason === undefined ? {} : { reason }),
          ...(usage === undefined ? {} : { usage }),
          ...keptAppeal(recording),
        },
      },
      status,
      next: null,
      followUp,
    };
  };

  /** Judges an answer again, along with the candidate's claims. */
  const judgeAgain = async (work: Parameters<typeof judge>[0], before: Assessment): ReturnType<StageHandler> => {
    const outcome = await judge(work);
    const recording = { ...work.recording, ...outcome.fields };
    const kept = await keepClaims(recording, before, work.session, { assessor, models }, work);
    return { ...outcome, fields: { ...outcome.fields, ...kept } };
  };

  return async ({ recording: stored, ...work }) => {
    const recording = stored.toObject();
    const { claim, correction } = recording;
    if (correction) {
      const { step, fields } = applyCorrection(recording, correction);
      if (step === 'judge') {
        const outcome = await judgeAgain({ recording: { ...recording, ...fields }, ...work }, recording.assessment);
        return { ...outcome, fields: { ...fields, ...outcome.fields } };
      }
      const status = step === 'practice' || correction.before.status === 'completed' ? 'completed' : 'unscored';
      return { fields, status, next: null };
    }
    if (claim) {
      const fields = await judgeClaim({ ...recording, claim }, work.session, { assessor, models }, work);
      return { fields, status: 'completed', next: null };
    }
    return judgeAgain({ recording, ...work }, recording.assessment);
  };
}

/** The combined usage of two calls. */
function addUsage(one: AssessmentUsage | undefined, other: AssessmentUsage | undefined): AssessmentUsage | undefined {
  if (!one || !other) return one ?? other;
  return {
    promptTokens: one.promptTokens + other.promptTokens,
    completionTokens: one.completionTokens + other.completionTokens,
    costUsd: one.costUsd === null || other.costUsd === null ? null : one.costUsd + other.costUsd,
  };
}
