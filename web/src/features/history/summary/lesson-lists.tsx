import { Group, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { mediaAddress } from '../../../components/player/media-kind.ts';
import { usePlayback } from '../../../components/player/use-playback.ts';
import { minutesSeconds } from '../../../lib/formats.ts';
import { questionHash } from '../../../lib/paths.ts';
import { questionName } from '../../../lib/question-name.ts';
import { PointText, quoteOf } from '../detail/point-text.tsx';
import points from '../detail/points.module.css';
import type { SessionDetail, SessionRecording } from '../session-types.ts';
import classes from './lessons.module.css';
import type { Lesson } from './lessons.ts';

interface MomentQuoteProps {
  /** The candidate's words. */
  text: string;
  /** Their time in the recording; without one they can't be played. */
  startMs: number | undefined;
  endMs: number | undefined;
  recording: SessionRecording;
  renewMedia: (recordingId: string) => Promise<string>;
}

/** Words of a recording; a click plays just those. */
function MomentQuote({ text, startMs, endMs, recording, renewMedia }: MomentQuoteProps) {
  const playback = usePlayback(recording.audioUrl, recording.durationMs, () => renewMedia(recording._id));
  const { phase, source, wanted } = playback.state;
  if (startMs === undefined || endMs === undefined || phase === 'failed') return <q className={points.quote}>{text}</q>;
  const Icon = wanted ? IconPlayerPauseFilled : IconPlayerPlayFilled;
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: the quotation is the caption. */}
      <audio ref={playback.attach} src={mediaAddress(source)} preload="none" />
      <button
        type="button"
        className={points.play}
        onClick={() => (wanted ? playback.toggle() : playback.playMoment(startMs, endMs))}
      >
        <Icon size={14} aria-hidden className={classes.icon} />
        <VisuallyHidden>{wanted ? 'Pause' : `Play from ${minutesSeconds(startMs / 1000)}`}: </VisuallyHidden>
        <q className={points.quote}>{text}</q>
      </button>
    </>
  );
}

interface LessonsProps {
  lessons: readonly Lesson[];
  session: Pick<SessionDetail, 'questions' | 'followUps'>;
  /** The path of the detail; '' on the detail itself. */
  detailPath: string;
  /** Whether the reader is the one who answered. */
  own: boolean;
  renewMedia: (recordingId: string) => Promise<string>;
}

const counts = ['Nothing', 'One thing', 'Two things', 'Three things'];

/** What to work on: each point with its question, the candidate's closest words, and the expert's. */
export function WorkOn({ lessons, session, detailPath, own, renewMedia }: LessonsProps) {
  return (
    <section className={classes.section}>
      <Title order={2} size="h3">
        {counts[lessons.length]} to work on
      </Title>
      <ol className={classes.list}>
        {lessons.map((lesson) => {
          const { recording, point, worth } = lesson;
          const quote = quoteOf(point);
          return (
            <li key={`${recording._id}${point.text}`} className={classes.lesson}>
              <QuestionLink {...{ lesson, session, detailPath }}>
                <span className={classes.worth} title={`Would earn ${worth}% on this question`}>
                  +{worth}%
                </span>
              </QuestionLink>
              <p className={classes.words}>
                <span className={classes.who}>Expert</span>
                <span className={classes.expert}>
                  <PointText text={point.text} expertAnswer={recording.chatGPTResponse} />
                </span>
              </p>
              {quote ? (
                <p className={classes.words}>
                  <span className={classes.who}>{point.evidence === '' ? 'Closest match' : own ? 'You' : 'Said'}</span>
                  <span>
                    <MomentQuote {...quote} recording={recording} renewMedia={renewMedia} />
                  </span>
                </p>
              ) : (
                <p className={classes.none}>No close match</p>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** What went well: the points covered, in the candidate's words. */
export function WentWell({ lessons, session, detailPath, renewMedia }: Omit<LessonsProps, 'own'>) {
  return (
    <section className={classes.section} data-tone="good">
      <Title order={2} size="h3">
        What went well
      </Title>
      <ul className={classes.list}>
        {lessons.map((lesson) => {
          const { recording, point } = lesson;
          const quote = quoteOf(point);
          return (
            <li key={`${recording._id}${point.text}`} className={classes.lesson}>
              <QuestionLink {...{ lesson, session, detailPath }} />
              <Text mt={2} size="sm">
                <span className={classes.expert}>
                  <PointText text={point.text} expertAnswer={recording.chatGPTResponse} />
                </span>
                {quote && (
                  <>
                    {' '}
                    <MomentQuote {...quote} recording={recording} renewMedia={renewMedia} />
                  </>
                )}
              </Text>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

interface QuestionLinkProps extends Pick<LessonsProps, 'session' | 'detailPath'> {
  lesson: Lesson;
  children?: ReactNode;
}

function QuestionLink({ lesson: { recording }, session, detailPath, children }: QuestionLinkProps) {
  const { questionId } = recording;
  const question = session.questions[questionId];
  return (
    <Group gap="sm" align="baseline" wrap="nowrap">
      <Link to={`${detailPath}${questionHash(questionId)}`} className={classes.question}>
        {questionName(session, questionId)}
        {question && `: ${question.replaceAll('`', '')}`}
      </Link>
      {children}
    </Group>
  );
}
