import { languageNorms } from '@interview-prep/contracts/recording/delivery-norms';
import { findFillers } from '../delivery/measure-delivery.ts';
import type { Recording } from '../recordings/model.ts';
import { checkCorrection, heardTranscript } from './check-correction.ts';
import { correctWords } from './correct-words.ts';

const appealReasons = {
  changed: 'More than a third of the transcript was edited.',
  unspoken: 'The edited transcript has words where nothing was spoken.',
} as const;

/**
 * The result of a correction.
 * - `practice`: the transcript is corrected; there is no verdict to update.
 * - `judge`: the answer is rescored using the corrected transcript.
 * - `wait`: a reviewer decides. Transcript and verdict are unchanged until then.
 */
interface AppliedCorrection {
  step: 'practice' | 'judge' | 'wait';
  fields: Partial<Recording>;
}

/** Applies a candidate's correction. Passing the original text reverts an earlier correction. */
export function applyCorrection(
  recording: Recording,
  { text, before }: NonNullable<Recording['correction']>,
): AppliedCorrection {
  const { kind, transcription, assessment, stage } = recording;
  if (kind === 'practice') {
    return { step: 'practice', fields: { ...correctedFields(recording, text), stage: before.stage, correction: null } };
  }
  const { proposed: _, ...transcript } = transcription;
  const { appeal, ...verdict } = assessment;
  const kept = appeal && !appeal.automatic ? { appeal } : {};
  const fields = { stage, correction: null, claim: null };
  // Passing the scored text withdraws a proposal. Don't rescore: the same words could get a different score.
  if (text === transcription.text)
    return {
      step: 'wait',
      fields: { ...fields, transcription: transcript, assessment: { ...verdict, ...kept, status: before.status } },
    };
  const why = checkCorrection(recording, text);
  const withoutRequest = { ...recording, assessment: { ...verdict, ...kept } };
  if (!why) {
    return {
      step: 'judge',
      fields: {
        ...fields,
        ...correctedFields({ ...withoutRequest, transcription: transcript }, text),
        assessment: withoutRequest.assessment,
      },
    };
  }
  const createdAt = new Date().toISOString();
  return {
    step: 'wait',
    fields: {
      ...fields,
      ...(kept.appeal ? {} : { unannouncedAppeal: createdAt }),
      transcription: { ...transcript, proposed: { text, createdAt, why } },
      assessment: {
        ...verdict,
        status: before.status,
        appeal: kept.appeal ?? { reason: appealReasons[why], createdAt, automatic: true },
      },
    },
  };
}

/** The fields of a recording whose transcript is corrected to `text`. Passing the original text reverts the correction. */
function correctedFields(
  { transcription, delivery }: Pick<Recording, 'transcription' | 'delivery'>,
  text: string,
): Partial<Recording> {
  const { original: _kept, correctedAt: _before, ...current } = transcription;
  const heard = heardTranscript({ transcription });
  const original = { text: heard.text, ...(heard.words ? { words: heard.words } : {}) };
  const isAsHeard = text === original.text;
  const words = isAsHeard ? original.words : original.words && correctWords(original.words, text);
  const fillers = findFillers(words ?? [], languageNorms[current.language ?? '']?.fillers ?? []);
  return {
    transcription: {
      ...current,
      text,
      ...(words ? { words } : {}),
      ...(isAsHeard ? {} : { original, correctedAt: new Date().toISOString() }),
    },
    ...(delivery ? { delivery: { ...delivery, fillers } } : {}),
  };
}
