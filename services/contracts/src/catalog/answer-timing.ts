import { z } from 'zod';

/** The times for answers that a set can specify: labels and limits in whole seconds. */
export const timingFields = {
  /** Before recording starts; 0 starts it at once. */
  thinkingSeconds: { label: 'Thinking time', min: 0, max: 600 },
  /** Recording stops after this time. */
  timeLimitSeconds: { label: 'The time limit', min: 15, max: 1800 },
  /** Suggested length of an answer. */
  lengthHintSeconds: { label: 'The suggested length', min: 10, max: 1800 },
} as const;
export type TimingField = keyof typeof timingFields;
export const timingFieldNames = Object.keys(timingFields) as TimingField[];

/** The default thinking time, in seconds. */
export const usualThinkingSeconds = 10;

/** A set's times in whole seconds. If absent, there is no time limit or suggested length. */
export type AnswerTiming = { [Field in TimingField]?: number | undefined };

function seconds(field: TimingField) {
  const { label, min, max } = timingFields[field];
  const message = `${label} must be a whole number of seconds from ${min} to ${max.toLocaleString('en-US')}`;
  return z.int(message).min(min, message).max(max, message);
}

/** The times of a set in responses. */
export const answerTiming = {
  thinkingSeconds: seconds('thinkingSeconds').optional(),
  timeLimitSeconds: seconds('timeLimitSeconds').optional(),
  lengthHintSeconds: seconds('lengthHintSeconds').optional(),
};

const given = (field: TimingField, description: string) => seconds(field).nullable().optional().describe(description);

export const hintTooLong = 'The suggested length cannot be longer than the time limit';

/** Whether the suggested length fits within the time limit, if the set has both. */
export function fitsTimeLimit(times: { [Field in TimingField]?: number | null | undefined }): boolean {
  const { timeLimitSeconds, lengthHintSeconds } = times;
  return !timeLimitSeconds || !lengthHintSeconds || lengthHintSeconds <= timeLimitSeconds;
}

/** The times of a set in requests; absent ones stay unchanged. */
export const newAnswerTiming = {
  thinkingSeconds: given(
    'thinkingSeconds',
    `Seconds to think before each recording starts: 0 for none, null for the usual ${usualThinkingSeconds}.`,
  ),
  timeLimitSeconds: given('timeLimitSeconds', 'Seconds after which each recording stops; null for no limit.'),
  lengthHintSeconds: given('lengthHintSeconds', 'Roughly how many seconds an answer should take; null for no hint.'),
};
