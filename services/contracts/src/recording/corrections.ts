import { z } from 'zod';
import { objectId } from '../api/fields.ts';
import { routesOf } from '../api/route.ts';

/** Maximum length of a corrected transcript, in characters: an hour of fast speech. */
export const transcriptMaxLength = 100_000;

/** The number of whitespace-separated words. */
export function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}

/** Maximum number of words in a corrected transcript, given the recognized one. */
export function correctedWordsMax(heardWords: number): number {
  return 2 * heardWords + 200;
}

/** The candidate's corrected transcript. */
export const TranscriptCorrection = z.object({
  text: z
    .string('Transcript is required')
    .max(transcriptMaxLength, `Transcript must be at most ${transcriptMaxLength} characters long`)
    .trim()
    .min(1, 'Transcript is required'),
});
export type TranscriptCorrection = z.infer<typeof TranscriptCorrection>;

function wordIndex(name: string) {
  const message = `${name} must be the index of a word`;
  return z.int(message).min(0, message).max(transcriptMaxLength, message);
}

/** The words that the candidate says make the point: indexes into the transcription's words, both inclusive. */
export const PointClaim = z
  .object({
    firstWord: wordIndex('First word'),
    lastWord: wordIndex('Last word'),
  })
  .refine(({ firstWord, lastWord }) => firstWord <= lastWord, {
    message: 'Last word must not be before the first',
    path: ['lastWord'],
  });
export type PointClaim = z.infer<typeof PointClaim>;

const recording = routesOf('recording');
const message = z.object({ message: z.string() });

/** Routes for candidates to correct a transcript or dispute a verdict. */
export const correctionRoutes = {
  correctTranscript: recording.put('/api/recordings/:id/transcript', 'signed-in', {
    summary: "Correct an answer's transcript, and rescore the answer",
    description:
      "Only for the answer's candidate. The text may have up to twice the recognized number of words plus 200. The original is kept as `transcription.original`, and changed words are marked as `edited`. Unchanged words keep their times. Interview answers are rescored immediately. If more than a third of the words changed, or words were added where nothing was spoken, the edit needs a review: it is kept as `transcription.proposed`, and the score of the original stays. 409 while the answer or another correction of the same user is being processed, or if nothing has changed.",
    params: z.object({ id: objectId }),
    body: TranscriptCorrection,
    status: 202,
    result: message,
    errorStatuses: [403, 404, 409, 429],
  }),
  claimPoint: recording.post('/api/recordings/:id/points/:point/claim', 'signed-in', {
    summary: 'Mark the words that make a point, and rescore the point using only those words',
    description:
      "Only for the answer's candidate. `point` is the zero-based index in `assessment.points`. The verdict then has both findings: the one for the whole answer as `machine`, and the one for the marked words as `claim`. The better one counts. 409 while the answer is being processed, or if the point is already covered.",
    params: z.object({ id: objectId, point: z.coerce.number().int().min(0).max(999) }),
    body: PointClaim,
    status: 202,
    result: message,
    errorStatuses: [403, 404, 409, 429],
  }),
};
