import { askedQuestionsOf, parentQuestionOf } from '@interview-prep/contracts/recording/asked-questions';
import { newestTakes } from '@interview-prep/contracts/recording/newest-takes';
import { pickShared } from '@interview-prep/contracts/recording/shared-fields';
import type { SharedInterview } from '@interview-prep/contracts/recording/shares';
import { withoutQuestionPrefix } from '@interview-prep/contracts/text/question-text';
import type { MediaTokens } from '@interview-prep/kit/tokens/media-tokens';
import type { Recording } from '../recordings/model.ts';
import type { Session } from '../sessions/model.ts';
import type { ShareLink } from './model.ts';

/** Marks a link's id as the subject of a media token: playback then checks that the link is still valid. */
const subjectPrefix = 'share:';

/** The id of the link that a media token belongs to; null where it belongs to a sign-in. */
export function shareOfSubject(subject: string): string | null {
  return subject.startsWith(subjectPrefix) ? subject.slice(subjectPrefix.length) : null;
}

/** The questions visible through a link. Follow-up questions reveal what an answer missed, and an LLM may have quoted the answer in them. */
function sharedQuestions(session: Session, { verdicts, transcript }: ShareLink['shows']): string[] {
  const hides = (id: number) => parentQuestionOf(session, id) !== undefined && !(verdicts && transcript);
  return session.questions.map((question, id) =>
    hides(id) ? 'A follow-up question' : withoutQuestionPrefix(question),
  );
}

/** The token subject for a link's holder, who plays media on behalf of the link rather than a sign-in. */
export function holderOf({ _id, createdAt, expiresAt }: ShareLink) {
  const id = _id.toHexString();
  return {
    sub: `${subjectPrefix}${id}`,
    jti: id,
    iat: Math.floor(createdAt.getTime() / 1000),
    exp: Math.floor(expiresAt.getTime() / 1000),
  };
}

/** Presents an interview for a link, by the rules in `shared-fields.ts`. */
export function presentShared(
  share: ShareLink,
  session: Session,
  recordings: readonly Recording[],
  mediaTokens: MediaTokens,
): SharedInterview {
  const { role, shows, expiresAt } = share;
  const holder = holderOf(share);
  const answers = newestTakes(recordings);
  const interview = {
    title: session.title,
    technology: session.technology,
    createdAt: session.createdAt.toISOString(),
    questions: sharedQuestions(session, shows),
    askedQuestions: askedQuestionsOf(
      session,
      answers.map(({ questionId }) => questionId),
    ),
    followUps: session.followUps,
    recordings: answers.map((recording) => {
      const { transcription, playback, original, mediaDeletion, guestFeedback = [] } = recording;
      const recordingId = recording._id.toHexString();
      return {
        ...recording,
        _id: recordingId,
        createdAt: recording.createdAt.toISOString(),
        mediaType: (playback ?? original).mediaType,
        audioUrl: mediaDeletion ? '' : mediaTokens.urlOf(recordingId, holder),
        transcription: { ...transcription, completedAt: transcription.completedAt?.toISOString() ?? null },
        // Hide feedback given through other links.
        guestFeedback: guestFeedback.filter(({ shareId }) => shareId === share._id.toHexString()),
      };
    }),
  };
  const shown = pickShared(interview, shows) as Omit<SharedInterview, 'role' | 'shows' | 'expiresAt'>;
  return { ...shown, recordings: shown.recordings ?? [], role, shows, expiresAt: expiresAt.toISOString() };
}
