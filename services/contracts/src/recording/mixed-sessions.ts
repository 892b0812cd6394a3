/** The set id of sessions that mix questions of several sets. No real set has it. */
export const mixedSetId = '0'.repeat(24);

/** Maximum number of questions in such a session. */
export const mixedQuestionsMax = 20;

/** The technology of such a session if its questions have different ones. */
export const mixedTechnology = 'Several technologies';

/** Maximum number of questions in a review session. */
export const reviewSizeMax = 10;

/** Estimated minutes per question in a review session, including the answer. */
export const reviewMinutesPerQuestion = 2;
