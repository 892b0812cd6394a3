import { askedQuestionsOf, parentQuestionOf } from '@interview-prep/contracts/asked-questions';
import { withoutQuestionPrefix } from '@interview-prep/contracts/question-text';
import type { Assessment, Point } from '@interview-prep/contracts/recordings';
import type { SharedInterview } from '@interview-prep/contracts/shares';
import type { MediaTokens } from '@interview-prep/kit/media-tokens';
import type { Recording } from '../recordings/model.ts';
import type { Session } from '../sessions/model.ts';
import type { ShareLink } from './model.ts';

/** Stands for a link where a media token names who may play: playback checks that the link still works. */
const subjectPrefix = 'share:';

/** The id of the link that a media token belongs to; null where it belongs to a sign-in. */
export function shareOfSubject(subject: string): string | null {
  return subject.startsWith(subjectPrefix) ? subject.slice(subjectPrefix.length) : null;
}

const notShared = { status: 'unscored', reason: 'The link does not show the verdict.' } as const;

/** A point without the candidate's words, and without a reason, which may quote them. */
function withoutWords({ text, covered, state, weight, credit, optional, review }: Point): Point {
  return { text, covered, evidence: '', state, weight, credit, optional, review };
}

/** A verdict without the candidate's words, for a link that does not show the transcript. */
function hideWords(assessment: Assessment): Assessment {
  return assessment.points ? { ...assessment, points: assessment.points.map(withoutWords) } : assessment;
}

/** The questions as a link shows them. A follow-up question shows what an answer missed, and a model may quote the answer. */
function sharedQuestions(session: Session, { verdicts, transcript }: ShareLink['shows']): string[] {
  const hides = (id: number) => parentQuestionOf(session, id) !== undefined && !(verdicts && transcript);
  return session.questions.map((question, id) =>
    hides(id) ? 'A follow-up question' : withoutQuestionPrefix(question),
  );
}

/** Who plays the media of a link: the link, in the place of a sign-in. */
export function holderOf({ _id, createdAt, expiresAt }: ShareLink) {
  const id = _id.toHexString();
  return {
    sub: `${subjectPrefix}${id}`,
    jti: id,
    iat: Math.floor(createdAt.getTime() / 1000),
    exp: Math.floor(expiresAt.getTime() / 1000),
  };
}

/** An interview as a link shows it: the newest take of each question, with what the link shows. */
export function presentShared(
  share: ShareLink,
  session: Session,
  recordings: readonly Recording[],
  mediaTokens: MediaTokens,
): SharedInterview {
  const { role, shows, expiresAt } = share;
  const holder = holderOf(share);
  const newest = new Map<number, Recording>();
  for (const recording of recordings) {
    if ((newest.get(recording.questionId)?.take ?? 0) < recording.take) newest.set(recording.questionId, recording);
  }
  const presented = [...newest.values()]
    .toSorted((a, b) => a.questionId - b.questionId)
    .map((recording) => {
      const { questionId, take, transcription, playback, original, durationMs, mediaDeletion } = recording;
      const hasMedia = shows.media && !mediaDeletion;
      const recordingId = recording._id.toHexString();
      const { completedAt } = transcription;
      return {
        _id: recordingId,
        questionId,
        take,
        createdAt: recording.createdAt.toISOString(),
        durationMs,
        mediaType: (playback ?? original).mediaType,
        audioUrl: hasMedia ? mediaTokens.urlOf(recordingId, holder) : '',
        ...(hasMedia ? { peaks: recording.peaks } : {}),
        ...(mediaDeletion ? { mediaDeletion } : {}),
        transcription: shows.transcript
          ? { ...transcription, completedAt: completedAt?.toISOString() ?? null }
          : { status: 'completed' as const, text: '', completedAt: null },
        ...(shows.transcript && recording.delivery ? { delivery: recording.delivery } : {}),
        ...(shows.verdicts
          ? {
              isCorrect: recording.isCorrect,
              correctnessPercentage: recording.correctnessPercentage,
              chatGPTResponse: recording.chatGPTResponse,
              assessment: shows.transcript ? recording.assessment : hideWords(recording.assessment),
            }
          : { isCorrect: null, correctnessPercentage: null, chatGPTResponse: '', assessment: notShared }),
      };
    });
  return {
    title: session.title,
    technology: session.technology,
    createdAt: session.createdAt.toISOString(),
    questions: sharedQuestions(session, shows),
    askedQuestions: askedQuestionsOf(session, [...newest.keys()]),
    ...(session.followUps ? { followUps: session.followUps } : {}),
    role,
    shows,
    expiresAt: expiresAt.toISOString(),
    recordings: presented,
  };
}
