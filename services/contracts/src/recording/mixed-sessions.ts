/** The set id of a session that mixes questions of several sets. No set has it. */
export const mixedSetId = '0'.repeat(24);

/** The most questions that such a session has. */
export const mixedQuestionsMax = 20;

/** The technology of such a session, where its questions are of several. */
export const mixedTechnology = 'Several technologies';

/** How many questions a review asks at most. */
export const reviewSizeMax = 10;

/** Minutes that a question takes in a review, with its answer. */
export const reviewMinutesPerQuestion = 2;
