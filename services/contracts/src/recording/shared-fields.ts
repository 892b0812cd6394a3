import { SharedInterview, type SharedParts } from './shares.ts';

/** The link options that a field requires, all of them; `never` for fields that no link shows. */
type Needs = readonly (keyof SharedParts)[] | 'never';

const always: Needs = [];
const media: Needs = ['media'];
const transcript: Needs = ['transcript'];
const verdicts: Needs = ['verdicts'];
/** For fields of a verdict that may quote the candidate. */
const quotes: Needs = ['verdicts', 'transcript'];

/** Fields of one object with the same rule. */
const rule = (path: string, needs: Needs, fields: readonly string[]): Record<string, Needs> =>
  Object.fromEntries(fields.map((field) => [`${path}.${field}`, needs]));

const answer = 'recordings[]';
const point = `${answer}.assessment.points[]`;

/**
 * The link options that each field of `SharedInterview` requires. The nearest rule on a field's path applies, so new fields of a
 * recording are shown by links that show everything, and new fields of a verdict by links that may quote.
 */
const rules: Readonly<Record<string, Needs>> = {
  '': always,
  [answer]: ['media', 'transcript', 'verdicts'],
  ...rule(answer, always, ['_id', 'questionId', 'take', 'createdAt', 'mediaType']),
  // Only feedback that was given through this link.
  ...rule(answer, always, ['guestFeedback[]']),
  ...rule(answer, media, ['audioUrl', 'durationMs', 'peaks', 'mediaDeletion']),
  ...rule(answer, transcript, ['transcription', 'delivery']),
  // Reveals that the score rests on edited words.
  ...rule(answer, verdicts, ['transcription.correctedAt']),
  // Private between candidate and reviewer.
  ...rule(answer, 'never', ['transcription.proposed', 'assessment.appeal', 'assessment.usage']),
  ...rule(answer, 'never', ['assessment.review.reviewer', 'assessment.earlierReviews']),
  ...rule(answer, verdicts, ['isCorrect', 'correctnessPercentage', 'chatGPTResponse']),
  ...rule(answer, quotes, ['assessment']),
  ...rule(`${answer}.assessment`, verdicts, ['status', 'engine', 'range', 'machine']),
  ...rule(`${answer}.assessment.review`, verdicts, ['by', 'createdAt', 'correctnessPercentage']),
  ...rule(point, verdicts, ['text', 'covered', 'state', 'weight', 'credit', 'optional', 'made', 'contradicted']),
  ...rule(point, verdicts, ['confidence', 'creditRange', 'review.before']),
};

/** Placeholders for hidden required fields in a visible object. */
const blanks: Readonly<Record<string, object>> = {
  [answer]: {
    audioUrl: '',
    durationMs: null,
    transcription: { status: 'completed', text: '', completedAt: null },
    isCorrect: null,
    correctnessPercentage: null,
    chatGPTResponse: '',
    assessment: { status: 'unscored' },
  },
  [`${answer}.transcription`]: { status: 'completed', text: '', completedAt: null },
  [point]: { evidence: '' },
  [`${point}.review`]: { reason: '' },
  [`${answer}.assessment.review`]: { reason: '', comments: [] },
  [`${answer}.guestFeedback[]`]: { points: [], comments: [] },
};

const SharedContent = SharedInterview.omit({ role: true, shows: true, expiresAt: true });

/**
 * The fields of an interview that a link shows. Fields missing from the schema are never shown. Lists and objects
 * without any visible field are omitted.
 */
export function pickShared(interview: unknown, shows: SharedParts): Partial<SharedInterview> {
  return (pick(SharedContent.parse(interview), shows, '', always) ?? {}) as Partial<SharedInterview>;
}

function pick(value: unknown, shows: SharedParts, path: string, inherited: Needs): unknown {
  const needs = rules[path] ?? inherited;
  const isShown = needs !== 'never' && needs.every((part) => shows[part]);
  if (Array.isArray(value)) {
    if (value.length === 0) return isShown ? [] : undefined;
    const picked = value.map((each) => pick(each, shows, `${path}[]`, needs)).filter((each) => each !== undefined);
    return picked.length > 0 ? picked : undefined;
  }
  if (typeof value !== 'object' || value === null) {
    return isShown ? value : undefined;
  }
  const picked = Object.entries(value).flatMap(([name, inner]) => {
    const kept = pick(inner, shows, path === '' ? name : `${path}.${name}`, needs);
    return kept === undefined ? [] : [[name, kept] as const];
  });
  return picked.length > 0 ? { ...blanks[path], ...Object.fromEntries(picked) } : undefined;
}
