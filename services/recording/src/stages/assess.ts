import { findExpertAnswer } from '../sets/find-expert-answer.ts';
import type { StageHandler } from './run-stage.ts';
import type { StageDeps } from './stage-deps.ts';
import { silenceCheck } from './transcribe.ts';

/** The assessment stage: sets what was said beside the expert's answer. Where nothing was said no engine is asked. */
export const assessStage =
  ({ models, assessor }: StageDeps): StageHandler =>
  async ({ recording, session, signal }) => {
    const { questionId, transcription } = recording;
    const expertAnswer = await findExpertAnswer(session, questionId, models.sets);
    if (transcription.text.trim() === '') {
      return {
        fields: {
          isCorrect: false,
          correctnessPercentage: 0,
          chatGPTResponse: expertAnswer ?? '',
          assessment: {
            status: 'completed',
            engine: transcription.engine ?? silenceCheck,
            points: [],
            reason: 'No answer was heard.',
          },
        },
        status: 'completed',
        next: null,
      };
    }
    const verdict = await assessor.assess({
      question: session.questions[questionId] ?? '',
      transcript: transcription.text,
      words: transcription.words ?? [],
      expertAnswer,
      signal,
    });
    const { status, isCorrect, correctnessPercentage, points, engine, reason } = verdict;
    return {
      fields: {
        isCorrect,
        correctnessPercentage,
        chatGPTResponse: verdict.expertAnswer,
        assessment: { status, engine, points, ...(reason === undefined ? {} : { reason }) },
      },
      status,
      next: null,
    };
  };
