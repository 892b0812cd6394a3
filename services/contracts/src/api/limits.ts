/** Limits that several parts of the product share. Source: product specification, section 9. */
export const limits = {
  /** Smallest accepted recording. */
  recordingMinBytes: 1000,
  /** Largest accepted recording. */
  recordingMaxBytes: 10 * 1024 * 1024,
  /** Largest part of an answer that is sent while it is spoken. */
  partMaxBytes: 512 * 1024,
  partsPerAnswer: 2000,
  passwordMinLength: 8,
  passwordMaxLength: 128,
  technologiesPerUser: 3,
  interviewSetsPerPage: 10,
  setsPageMax: 200,
  historyPageDefault: 100,
  /** The sessions of others that an admin's event stream can be of. */
  watchedSessions: 50,
  historyPageMax: 200,
  emailMaxLength: 254,
  nameMaxLength: 100,
  titleMaxLength: 200,
  questionMaxLength: 2000,
  answerMaxLength: 10_000,
  questionsPerSet: 100,
  tagMaxLength: 50,
  tagsPerSet: 20,
  termMaxLength: 60,
  termsPerSet: 100,
} as const;
