import type { InterviewSet, PracticeSet } from '@interview-prep/contracts/sets';
import type { Role } from '@interview-prep/contracts/users';
import type { TechnologyNames } from '../technologies/technology-names.ts';
import type { SetRecord } from './model.ts';

function presentHead(set: SetRecord, names: TechnologyNames) {
  const id = set._id.toHexString();
  return {
    _id: id,
    id,
    title: set.title,
    technology: names(set.technologySlug),
    technologySlug: set.technologySlug,
    questions: set.questions,
    tags: set.tags,
    createdBy: set.createdBy && { email: set.createdBy.email },
    createdAt: set.createdAt.toISOString(),
    updatedAt: set.updatedAt.toISOString(),
  };
}

/** An interview set as someone of `role` may see it: a candidate must not read the answers before the interview. */
export const presentInterviewSet = (set: SetRecord, names: TechnologyNames, role: Role): InterviewSet => ({
  ...presentHead(set, names),
  ...(role === 'admin' ? { expertAnswers: set.answers, expertPoints: set.expertPoints } : {}),
});

/** A practice set: its answers are for everyone. */
export const presentPracticeSet = (set: SetRecord, names: TechnologyNames): PracticeSet => ({
  ...presentHead(set, names),
  answers: set.answers,
});
