import type { Role } from '@interview-prep/contracts/auth/users';
import { type AnswerTiming, timingFieldNames } from '@interview-prep/contracts/catalog/answer-timing';
import { type InterviewSet, type PracticeSet, setOptionsOf } from '@interview-prep/contracts/catalog/sets';
import { versionOf } from '@interview-prep/kit/http/edit-version';
import type { TechnologyNames } from '../technologies/model.ts';
import { editedFieldsOf, type SetRecord } from './model.ts';

function presentHead(set: SetRecord, names: TechnologyNames, role: Role) {
  const id = set._id.toHexString();
  const { vocabulary = [], ...options } = setOptionsOf(set);
  return {
    _id: id,
    id,
    title: set.title,
    technology: names(set.technologySlug),
    technologySlug: set.technologySlug,
    questions: set.questions,
    tags: set.tags,
    ...(role === 'admin' ? { vocabulary, version: versionOf(editedFieldsOf(set)), updatedBy: set.updatedBy } : {}),
    ...options,
    status: set.status,
    createdBy: set.createdBy && { email: set.createdBy.email },
    createdAt: set.createdAt.toISOString(),
    updatedAt: set.updatedAt.toISOString(),
  };
}

const timingOf = (set: SetRecord): AnswerTiming =>
  Object.fromEntries(timingFieldNames.flatMap((field) => (set[field] ? [[field, set[field]]] : [])));

/** An interview set for a role. Only admins see expert answers: candidates must not read them before the interview. */
export function presentInterviewSet(set: SetRecord, names: TechnologyNames, role: Role): InterviewSet {
  return {
    ...presentHead(set, names, role),
    ...timingOf(set),
    ...(role === 'admin'
      ? {
          expertAnswers: set.answers,
          expertPoints: set.expertPoints,
          unanswered: set.answers.filter((answer) => answer === '').length,
        }
      : {}),
  };
}

/** A practice set, including its answers. */
export function presentPracticeSet(set: SetRecord, names: TechnologyNames, role: Role): PracticeSet {
  return {
    ...presentHead(set, names, role),
    answers: set.answers,
  };
}
