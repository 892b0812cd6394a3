import { SharedInterview, type SharedParts } from './shares.ts';

/** The options of a link that must all be on for a field to be shown; `never` for a field that no link shows. */
type Needs = readonly (keyof SharedParts)[] | 'never';

const always: Needs = [];
const media: Needs = ['media'];
const transcript: Needs = ['transcript'];
const verdicts: Needs = ['verdicts'];
/** For fields of a verdict that may quote the candidate. */
const quotes: Needs = ['verdicts', 'transcript'];

/** The fields of one object that share a rule. */
const rule = (path: string, needs: Needs, fields: readonly string[]): Record<string, Needs> =>
  Object.fromEntries(fields.map((field) => [`${path}.${field}`, needs]));

const answer = 'recordings[]';
const point = `${answer}.assessment.points[]`;

/**
 * Which options of a link show a field of `SharedInterview`. The nearest rule on a field's path applies, so a new field of a recording
 * is shown by links that show everything, and a new field of a verdict by links that may quote.
 */
const rules: Readonly<Record<string, Needs>> = {
  '': always,
  [answer]: ['media', 'transcript', 'verdicts'],
  ...rule(answer, always, ['_id', 'questionId', 'take', 'createdAt', 'mediaType']),
  // Only the feedback that was left with this link.
  ...rule(answer, always, ['guestFeedback[]']),
  ...rule(answer, media, ['audioUrl', 'durationMs', 'peaks', 'mediaDeletion']),
  ...rule(answer, transcript, ['transcription', 'delivery']),
  // Says that the score rests on edited words.
  ...rule(answer, verdicts, ['transcription.correctedAt']),
  // Between the candidate and the reviewer.
  ...rule(answer, 'never', ['transcription.proposed', 'assessment.appeal', 'assessment.usage']),
  ...rule(answer, 'never', ['assessment.review.reviewer', 'assessment.earlierReviews']),
  ...rule(answer, verdicts, ['isCorrect', 'correctnessPercentage', 'chatGPTResponse']),
  ...rule(answer, quotes, ['assessment']),
  ...rule(`${answer}.assessment`, verdicts, ['status', 'engine', 'range', 'machine']),
  ...rule(`${answer}.assessment.review`, verdicts, ['by', 'createdAt', 'correctnessPercentage']),
  ...rule(point, verdicts, ['text', 'covered', 'state', 'weight', 'credit', 'optional', 'made', 'contradicted']),
  ...rule(point, verdicts, ['confidence', 'creditRange', 'review.before']),
};

/** Values of required fields that are hidden in a shown object. */
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
 * The fields of an interview that a link shows. Fields that the schema does not declare are never shown. A list or an object
 * that has no shown field is left out.
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
