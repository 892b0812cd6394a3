import { z } from 'zod';

/** The times that an interview set may give for each answer: what they are called, and their limits in whole seconds. */
export const timingFields = {
  /** Before the recording starts; 0 starts it at once. */
  thinkingSeconds: { label: 'Thinking time', min: 0, max: 600 },
  /** After which the recording stops. */
  timeLimitSeconds: { label: 'The time limit', min: 15, max: 1800 },
  /** Roughly how long an answer should be. */
  lengthHintSeconds: { label: 'The suggested length', min: 10, max: 1800 },
} as const;
export type TimingField = keyof typeof timingFields;
export const timingFieldNames = Object.keys(timingFields) as TimingField[];

/** The thinking time of a set that names none, in seconds. */
export const usualThinkingSeconds = 10;

/** The times of a set, in whole seconds. Without a time limit or a suggested length there is none. */
export type AnswerTiming = { [Field in TimingField]?: number | undefined };

function seconds(field: TimingField) {
  const { label, min, max } = timingFields[field];
  const message = `${label} must be a whole number of seconds from ${min} to ${max.toLocaleString('en-US')}`;
  return z.int(message).min(min, message).max(max, message);
}

/** The times in a set that is read. */
export const answerTiming = {
  thinkingSeconds: seconds('thinkingSeconds').optional(),
  timeLimitSeconds: seconds('timeLimitSeconds').optional(),
  lengthHintSeconds: seconds('lengthHintSeconds').optional(),
};

const given = (field: TimingField, description: string) => seconds(field).nullable().optional().describe(description);

export const hintTooLong = 'The suggested length cannot be longer than the time limit';

/** Whether a suggested length, if there is one, fits the time limit, if there is one. */
export function fitsTimeLimit(times: { [Field in TimingField]?: number | null | undefined }): boolean {
  const { timeLimitSeconds, lengthHintSeconds } = times;
  return !timeLimitSeconds || !lengthHintSeconds || lengthHintSeconds <= timeLimitSeconds;
}

/** The times in a set that is written; what is absent stays as it was. */
export const newAnswerTiming = {
  thinkingSeconds: given(
    'thinkingSeconds',
    `Seconds to think before each recording starts: 0 for none, null for the usual ${usualThinkingSeconds}.`,
  ),
  timeLimitSeconds: given('timeLimitSeconds', 'Seconds after which each recording stops; null for no limit.'),
  lengthHintSeconds: given('lengthHintSeconds', 'Roughly how many seconds an answer should take; null for no hint.'),
};
