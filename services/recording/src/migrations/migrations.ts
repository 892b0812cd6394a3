import type { Migration } from '@interview-prep/kit/mongo/migrations';
import { renameLeasesAndOutages } from './0001-rename-leases-and-outages.ts';
import { markVerdictsOfWordRules } from './0002-mark-verdicts-of-word-rules.ts';
import { turnGuestReviewsIntoFeedback } from './0003-turn-guest-reviews-into-feedback.ts';
import { correctFromSixty } from './0004-correct-from-sixty.ts';
import { sayWhatAnswersWereAssignedAs } from './0005-say-what-answers-were-assigned-as.ts';

/** All migrations of the database, oldest first. Never edit, rename or remove a released one. */
export const migrations: readonly Migration[] = [
  renameLeasesAndOutages,
  markVerdictsOfWordRules,
  turnGuestReviewsIntoFeedback,
  correctFromSixty,
  sayWhatAnswersWereAssignedAs,
];
