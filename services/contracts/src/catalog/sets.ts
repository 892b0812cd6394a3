import { z } from 'zod';
import { idParams, requiredText, slug, tags, timestamp, vocabulary } from '../api/fields.ts';
import { limits } from '../api/limits.ts';
import { routesOf } from '../api/route.ts';
import { answerTiming, fitsTimeLimit, hintTooLong, newAnswerTiming } from './answer-timing.ts';
import { ExpertPoint, expertPointsMax } from './expert-points.ts';
import { SpokenLanguage } from './spoken-languages.ts';

/**
 * The options of a set that recording needs. This schema defines them in catalog's event, in recording's copy and in the
 * sessions that start from it. Absent options are not set.
 */
export const SetOptions = z.object({
  /** Terms that answers are likely to contain, in addition to those of questions and answers. */
  vocabulary: z.array(z.string()).optional(),
  /** The spoken language; defaults to the server's. */
  language: SpokenLanguage.optional(),
  /** Whether interviews ask follow-up questions. */
  asksFollowUps: z.boolean().optional(),
  /** Suggested length of an answer, in seconds. */
  lengthHintSeconds: z.number().int().positive().optional(),
});
export type SetOptions = z.infer<typeof SetOptions>;

/** Picks the options from a set's fields, without those that are off. */
export function setOptionsOf(set: { [Name in keyof SetOptions]?: SetOptions[Name] | null }): SetOptions {
  const names = Object.keys(SetOptions.shape) as (keyof SetOptions)[];
  return Object.fromEntries(names.flatMap((name) => (set[name] ? [[name, set[name]]] : [])));
}

/** Candidates see and take only published sets. A set can change to any status at any time. */
export const SetStatus = z.enum(['draft', 'published', 'archived']);
export type SetStatus = z.infer<typeof SetStatus>;

/** Fields of both kinds of sets. `technology` is the name, or 'Unknown Technology' once it is deleted. */
const SetHead = z.object({
  _id: z.string(),
  id: z.string(),
  title: z.string(),
  technology: z.string(),
  technologySlug: z.string(),
  questions: z.array(z.string()),
  tags: z.array(z.string()),
  /** Only for admins. */
  vocabulary: SetOptions.shape.vocabulary,
  language: SetOptions.shape.language,
  status: SetStatus,
  createdBy: z.object({ email: z.string() }).nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
  /** Only for admins: who saved the last change; null if unchanged since its creation. */
  updatedBy: z.object({ email: z.string() }).nullable().optional(),
  /** Only for admins: the version for If-Match. */
  version: z.string().optional(),
});

/** Only admins get `expertAnswers` ('' for none) and `expertPoints`; both are parallel to `questions`. */
export const InterviewSet = SetHead.extend({
  asksFollowUps: SetOptions.shape.asksFollowUps,
  ...answerTiming,
  expertAnswers: z.array(z.string()).optional(),
  expertPoints: z.array(z.array(ExpertPoint)).optional(),
  /** Only for admins: how many questions have no expert answer. */
  unanswered: z.number().int().optional(),
});
export type InterviewSet = z.infer<typeof InterviewSet>;

/** `answers` is parallel to `questions`. */
export const PracticeSet = SetHead.extend({ answers: z.array(z.string()) });
export type PracticeSet = z.infer<typeof PracticeSet>;

const title = requiredText('Title', limits.titleMaxLength);
const technology = slug;
const questions = z
  .array(requiredText('Question', limits.questionMaxLength, 'A question cannot be blank'), 'Questions are required')
  .min(1, 'Please add at least one question')
  .max(limits.questionsPerSet, 'Please use at most 100 questions');

/** Optional fields of both kinds of sets: absent ones stay unchanged. */
const optionalFields = {
  status: SetStatus.optional().describe('Absent, it stays as it was; a new set is published.'),
  vocabulary: vocabulary.optional(),
  language: SpokenLanguage.nullable().optional().describe("What is spoken; null for the server's default."),
};

/** The request body for creating or changing an interview set. */
export const NewInterviewSet = z
  .object({
    title,
    technology,
    questions,
    tags,
    ...optionalFields,
    asksFollowUps: z
      .boolean('asksFollowUps must be true or false')
      .optional()
      .describe('Whether its interviews ask follow-up questions. Absent, it stays as it was; a new set asks none.'),
    ...newAnswerTiming,
    expertAnswers: z
      .array(z.string().max(limits.answerMaxLength, 'An expert answer must be at most 10,000 characters').trim())
      .optional(),
    expertPoints: z
      .array(z.array(ExpertPoint).max(expertPointsMax, `An expert answer can have at most ${expertPointsMax} points`))
      .optional()
      .describe(
        "The points of each expert answer. Where they are absent, or a question's list is empty, an unchanged expert answer keeps its points; those of a new one are derived from its text.",
      ),
  })
  .refine((set) => set.expertAnswers === undefined || set.expertAnswers.length === set.questions.length, {
    path: ['expertAnswers'],
    message: 'Expert answers must be parallel to the questions',
  })
  .refine((set) => set.expertPoints === undefined || set.expertPoints.length === set.questions.length, {
    path: ['expertPoints'],
    message: 'Expert points must be parallel to the questions',
  })
  .refine(fitsTimeLimit, { path: ['lengthHintSeconds'], message: hintTooLong });
export type NewInterviewSet = z.infer<typeof NewInterviewSet>;

const pairMessage = 'Please add at least one question and answer';

/** The request body for creating or changing a practice set. */
export const NewPracticeSet = z
  .object({
    title,
    technology,
    questions: z
      .array(requiredText('Question', limits.questionMaxLength, 'A question cannot be blank'), pairMessage)
      .min(1, pairMessage)
      .max(limits.questionsPerSet, 'Please use at most 100 questions'),
    answers: z
      .array(requiredText('Answer', limits.answerMaxLength, 'An answer cannot be blank'), pairMessage)
      .min(1, pairMessage),
    tags,
    ...optionalFields,
  })
  .refine((set) => set.answers.length === set.questions.length, {
    path: ['answers'],
    message: 'Each question needs an answer',
  });
export type NewPracticeSet = z.infer<typeof NewPracticeSet>;

const catalog = routesOf('catalog');
/** Query of set lists: a filter, and how much of each set to return. */
const listQuery = z.object({
  status: z
    .enum([...SetStatus.options, 'all'])
    .default('published')
    .describe('Only admins get others than published ones.'),
  technology: slug.optional().describe('A slug.'),
  answers: z.stringbool().default(true).describe('`false` leaves out expert answers, points and model answers.'),
  limit: z.coerce.number().int().min(1).max(limits.setsPageMax).optional().describe('Without it all sets are listed.'),
  cursor: z.string().max(100).optional().describe('The `nextCursor` of the page before.'),
});
export type SetListQuery = z.infer<typeof listQuery>;
const page = { nextCursor: z.string().nullable(), total: z.number().int() };

const statusBody = z.object({ status: SetStatus });
const interviewSetResult = z.object({ interviewSet: InterviewSet });
const practiceSetResult = z.object({ practiceSet: PracticeSet });

/** Routes of sets. See docs/specification.md, section 7. */
export const setRoutes = {
  listInterviewSets: catalog.get('/api/interviews/sets', 'signed-in', {
    scopes: ['sets:manage'],
    summary: 'Interview sets, newest first',
    description: 'Only admins get expert answers: candidates must not read them before the interview.',
    result: z.object({ interviewSets: z.array(InterviewSet), ...page }),
    query: listQuery,
    revalidated: true,
  }),
  getInterviewSet: catalog.get('/api/interviews/sets/:id', 'signed-in', {
    scopes: ['sets:manage'],
    summary: 'One interview set',
    description: 'Only admins get drafts, archived sets and expert answers.',
    params: idParams,
    result: interviewSetResult,
    errorStatuses: [404],
    revalidated: true,
  }),
  createInterviewSet: catalog.post('/api/interviews/sets', 'admin', {
    scopes: ['sets:manage'],
    summary: 'Create an interview set',
    description:
      'Expert answers are parallel to the questions, with empty strings for missing ones. The technology must be an existing slug.',
    body: NewInterviewSet,
    status: 201,
    result: interviewSetResult,
    audit: { action: 'set.create' },
  }),
  updateInterviewSet: catalog.put('/api/interviews/sets/:id', 'admin', {
    scopes: ['sets:manage'],
    summary: 'Change an interview set',
    description: 'Replaces the whole set. Sessions that have already started keep their questions.',
    params: idParams,
    body: NewInterviewSet,
    result: interviewSetResult,
    errorStatuses: [404],
    versioned: true,
    audit: { action: 'set.update', target: 'set' },
  }),
  changeInterviewSetStatus: catalog.put('/api/interviews/sets/:id/status', 'admin', {
    scopes: ['sets:manage'],
    summary: 'Publish an interview set, archive it, or make it a draft',
    description:
      'Candidates who have it on screen can still start for a day, and sessions that have already started can be finished.',
    params: idParams,
    body: statusBody,
    result: interviewSetResult,
    errorStatuses: [404],
    versioned: true,
    audit: { action: 'set.update', target: 'set' },
  }),
  deleteInterviewSet: catalog.delete('/api/interviews/sets/:id', 'admin', {
    scopes: ['sets:manage'],
    summary: 'Delete an interview set; its recordings are kept',
    description: 'Sessions that have already started can be finished.',
    params: idParams,
    errorStatuses: [404],
    audit: { action: 'set.delete', target: 'set' },
  }),
  listPracticeSets: catalog.get('/api/practice', 'signed-in', {
    scopes: ['sets:manage'],
    summary: 'Practice sets, newest first',
    description: 'Includes the model answers for every signed-in user.',
    result: z.object({ practiceSets: z.array(PracticeSet.partial({ answers: true })), ...page }),
    query: listQuery,
    revalidated: true,
  }),
  getPracticeSet: catalog.get('/api/practice/:id', 'signed-in', {
    scopes: ['sets:manage'],
    summary: 'One practice set',
    description: 'Only admins get drafts and archived sets.',
    params: idParams,
    result: practiceSetResult,
    errorStatuses: [404],
    revalidated: true,
  }),
  createPracticeSet: catalog.post('/api/practice', 'admin', {
    scopes: ['sets:manage'],
    summary: 'Create a practice set',
    description: 'Model answers are parallel to the questions. The technology must be an existing slug.',
    body: NewPracticeSet,
    status: 201,
    result: practiceSetResult,
    audit: { action: 'set.create' },
  }),
  updatePracticeSet: catalog.put('/api/practice/:id', 'admin', {
    scopes: ['sets:manage'],
    summary: 'Change a practice set',
    description: 'Replaces the whole set. Sessions that have already started keep their questions.',
    params: idParams,
    body: NewPracticeSet,
    result: practiceSetResult,
    errorStatuses: [404],
    versioned: true,
    audit: { action: 'set.update', target: 'set' },
  }),
  changePracticeSetStatus: catalog.put('/api/practice/:id/status', 'admin', {
    scopes: ['sets:manage'],
    summary: 'Publish a practice set, archive it, or make it a draft',
    description:
      'Candidates who have it on screen can still start for a day, and sessions that have already started can be finished.',
    params: idParams,
    body: statusBody,
    result: practiceSetResult,
    errorStatuses: [404],
    versioned: true,
    audit: { action: 'set.update', target: 'set' },
  }),
  deletePracticeSet: catalog.delete('/api/practices/sets/:id', 'admin', {
    scopes: ['sets:manage'],
    summary: 'Delete a practice set; its recordings are kept',
    description: 'Sessions that have already started can be finished.',
    params: idParams,
    errorStatuses: [404],
    audit: { action: 'set.delete', target: 'set' },
  }),
  deletePracticeSetByItsPath: catalog.delete('/api/practice/:id', 'admin', {
    scopes: ['sets:manage'],
    summary: 'The same as DELETE /api/practices/sets/{id}',
    description: 'Sessions that have already started can be finished.',
    params: idParams,
    errorStatuses: [404],
    audit: { action: 'set.delete', target: 'set' },
  }),
};
