/** Limits shared across the product. Source: product specification, section 9. */
export const limits = {
  /** Minimum size of a recording. */
  recordingMinBytes: 1000,
  /** Maximum size of a recording. */
  recordingMaxBytes: 10 * 1024 * 1024,
  /** Maximum size of one part of a streamed answer. */
  partMaxBytes: 512 * 1024,
  partsPerAnswer: 2000,
  passwordMinLength: 8,
  passwordMaxLength: 128,
  technologiesPerUser: 3,
  interviewSetsPerPage: 10,
  setsPageMax: 200,
  historyPageDefault: 100,
  /** How many other people's sessions an admin's event stream can follow. */
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
