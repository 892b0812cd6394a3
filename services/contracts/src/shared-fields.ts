import type { SharedParts } from './shares.ts';

/** The options of a link that must be on for a field to be shown; `never` for a field that no option shows. */
type Needs = readonly (keyof SharedParts)[] | 'never';

const always: Needs = [];
const media: Needs = ['media'];
const transcript: Needs = ['transcript'];
const verdicts: Needs = ['verdicts'];
/** What quotes the candidate's words in a verdict, or may quote them. */
const quotes: Needs = ['verdicts', 'transcript'];

const pointFields: Record<string, Needs> = {
  text: verdicts,
  covered: verdicts,
  state: verdicts,
  weight: verdicts,
  credit: verdicts,
  optional: verdicts,
  made: verdicts,
  contradicted: verdicts,
  confidence: verdicts,
  'creditRange.from': verdicts,
  'creditRange.to': verdicts,
  'review.before.covered': verdicts,
  'review.before.state': verdicts,
  'review.before.credit': verdicts,
  'review.before.creditRange.from': verdicts,
  'review.before.creditRange.to': verdicts,
  'review.reason': quotes,
  evidence: quotes,
  firstWord: quotes,
  lastWord: quotes,
  startMs: quotes,
  endMs: quotes,
  how: quotes,
  across: quotes,
  reason: quotes,
  'machine.state': quotes,
  'machine.credit': quotes,
  'machine.reason': quotes,
  'machine.evidence': quotes,
  'claim.state': quotes,
  'claim.credit': quotes,
  'claim.reason': quotes,
  'claim.firstWord': quotes,
  'claim.lastWord': quotes,
  'claim.text': quotes,
  'claim.startMs': quotes,
  'claim.endMs': quotes,
  'nearest.text': quotes,
  'nearest.startMs': quotes,
  'nearest.endMs': quotes,
};

const wordFields: Record<string, Needs> = {
  word: transcript,
  startMs: transcript,
  endMs: transcript,
  confidence: transcript,
  edited: transcript,
};

/** Prefixes the paths of a table. */
const within = (prefix: string, fields: Record<string, Needs>): Record<string, Needs> =>
  Object.fromEntries(Object.entries(fields).map(([path, needs]) => [`${prefix}.${path}`, needs]));

/**
 * Which options of a link show each field of an interview. A field that is not listed is not shown. Paths are those of
 * `InterviewDetail`, with `[]` for the elements of a list.
 */
export const sharedFields: Readonly<Record<string, Needs>> = {
  _id: 'never',
  sessionId: 'never',
  userId: 'never',
  'userDetails.email': 'never',
  'userDetails.role': 'never',
  'userDetails.lastLogin': 'never',
  interviewSetId: 'never',
  'sources[].setId': 'never',
  'sources[].title': 'never',
  'sources[].technology': 'never',
  'sources[].questionId': 'never',
  technology: always,
  title: always,
  createdAt: always,
  questions: always,
  'followUps[].questionId': always,
  'followUps[].parentQuestionId': always,
  askedQuestions: always,
  ...within('recordings[]', {
    _id: always,
    questionId: always,
    take: always,
    createdAt: always,
    mediaType: always,
    audioUrl: media,
    durationMs: media,
    peaks: media,
    'mediaDeletion.at': media,
    'mediaDeletion.afterDays': media,
    'transcription.status': transcript,
    'transcription.text': transcript,
    'transcription.completedAt': transcript,
    'transcription.engine': transcript,
    'transcription.language': transcript,
    'transcription.error': transcript,
    'transcription.original.text': transcript,
    ...within('transcription.words[]', wordFields),
    ...within('transcription.original.words[]', wordFields),
    // Says that the score rests on edited words.
    'transcription.correctedAt': verdicts,
    // Between the candidate and who decides.
    'transcription.proposed.text': 'never',
    'transcription.proposed.createdAt': 'never',
    'transcription.proposed.why': 'never',
    'delivery.wordsPerMinute': transcript,
    'delivery.pace': transcript,
    'delivery.fillers[].kind': transcript,
    'delivery.fillers[].firstWord': transcript,
    'delivery.fillers[].lastWord': transcript,
    'delivery.omitsFillers': transcript,
    'delivery.pauses[].startMs': transcript,
    'delivery.pauses[].endMs': transcript,
    'delivery.firstWordMs': transcript,
    'delivery.silenceShare': transcript,
    'delivery.length.ms': transcript,
    'delivery.length.hintSeconds': transcript,
    'delivery.sound.speechDb': transcript,
    'delivery.sound.noiseDb': transcript,
    'delivery.sound.clippedShare': transcript,
    'delivery.sound.problem': transcript,
    'delivery.sound.tooPoor': transcript,
    isCorrect: verdicts,
    correctnessPercentage: verdicts,
    chatGPTResponse: verdicts,
    'assessment.status': verdicts,
    'assessment.engine': verdicts,
    ...within('assessment.points[]', pointFields),
    'assessment.range.from': verdicts,
    'assessment.range.to': verdicts,
    'assessment.reason': quotes,
    'assessment.usage.promptTokens': 'never',
    'assessment.usage.completionTokens': 'never',
    'assessment.usage.costUsd': 'never',
    'assessment.appeal.reason': 'never',
    'assessment.appeal.createdAt': 'never',
    'assessment.appeal.automatic': 'never',
    'assessment.review.by': verdicts,
    'assessment.review.createdAt': verdicts,
    'assessment.review.correctnessPercentage': verdicts,
    'assessment.review.reason': quotes,
    'assessment.review.comments[].atMs': quotes,
    'assessment.review.comments[].text': quotes,
    'assessment.machine.isCorrect': verdicts,
    'assessment.machine.correctnessPercentage': verdicts,
    // Only what was said with the link itself.
    ...within('guestFeedback[]', {
      shareId: always,
      createdAt: always,
      correctnessPercentage: always,
      'points[].text': always,
      'points[].state': always,
      'points[].reason': always,
      reason: always,
      'comments[].atMs': always,
      'comments[].text': always,
    }),
  }),
};

/** What the required fields of a shown object hold where they are not shown, or empty lists. */
const blanks: Readonly<Record<string, object>> = {
  'recordings[]': {
    audioUrl: '',
    durationMs: null,
    transcription: { status: 'completed', text: '', completedAt: null },
    isCorrect: null,
    correctnessPercentage: null,
    chatGPTResponse: '',
    assessment: { status: 'unscored' },
  },
  'recordings[].transcription': { status: 'completed', text: '', completedAt: null },
  'recordings[].delivery': { fillers: [], pauses: [] },
  'recordings[].assessment.points[]': { evidence: '' },
  'recordings[].assessment.points[].review': { reason: '' },
  'recordings[].assessment.review': { reason: '', comments: [] },
  'recordings[].guestFeedback[]': { points: [], comments: [] },
};

/** A value in JSON with only the fields that a link shows. A list or an object of which nothing is shown is left out. */
export function pickShared(value: unknown, shows: SharedParts, path = ''): unknown {
  const needs = sharedFields[path];
  if (needs !== undefined) return needs !== 'never' && needs.every((part) => shows[part]) ? value : undefined;
  if (Array.isArray(value)) {
    const picked = value.map((each) => pickShared(each, shows, `${path}[]`)).filter((each) => each !== undefined);
    return picked.length > 0 ? picked : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const picked = Object.entries(value).flatMap(([name, inner]) => {
    const kept = pickShared(inner, shows, path === '' ? name : `${path}.${name}`);
    return kept === undefined ? [] : [[name, kept] as const];
  });
  return picked.length > 0 ? { ...blanks[path], ...Object.fromEntries(picked) } : undefined;
}
