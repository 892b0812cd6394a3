import { Box, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { MarkedText } from '../../../components/marked-text.tsx';
import { calendarDay } from '../../../lib/formats.ts';
import { questionHash } from '../../../lib/paths.ts';
import { byQuestion } from '../../../lib/question-name.ts';
import type { SessionDetail, SessionRecording } from '../session-types.ts';
import { askedQuestions } from '../summary/question-outcomes.ts';
import cardClasses from './recording-card.module.css';
import classes from './session-days.module.css';

/** Recordings of one calendar day in the reader's time zone. `day` is YYYY-MM-DD, '' if the date is invalid. */
interface RecordingDay<Recording> {
  day: string;
  recordings: Recording[];
}

interface Dated {
  createdAt: string;
  questionId: number;
}

function dayKey(createdAt: string, timeZone: string | undefined): string {
  const date = new Date(createdAt);
  if (Number.isNaN(date.getTime())) return '';
  // en-CA writes year-month-day, which sorts.
  return new Intl.DateTimeFormat('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit', timeZone }).format(date);
}

/**
 * Groups recordings by calendar day, earliest first and undated ones last; within a day in question order, each
 * follow-up after its question. `timeZone` defaults to the reader's.
 */
export function recordingDays<Recording extends Dated>(
  recordings: readonly Recording[],
  session: Parameters<typeof byQuestion>[0],
  timeZone?: string,
): RecordingDay<Recording>[] {
  const days = Map.groupBy(recordings, (recording) => dayKey(recording.createdAt, timeZone));
  return [...days]
    .map(([day, ofDay]) => ({ day, recordings: ofDay.toSorted(byQuestion(session)) }))
    .sort((a, b) => (a.day === '' ? 1 : b.day === '' ? -1 : a.day.localeCompare(b.day)));
}

/** The zero-based numbers of the questions without a recording. */
export function unansweredQuestions(
  asked: readonly number[],
  recordings: readonly Pick<Dated, 'questionId'>[],
): number[] {
  const answered = new Set(recordings.map((recording) => recording.questionId));
  return asked.filter((index) => !answered.has(index));
}

interface SessionDaysProps {
  detail: SessionDetail;
  children: (recording: SessionRecording) => ReactNode;
}

/** A session's recordings by calendar day, followed by the unanswered questions. */
export function SessionDays({ detail, children }: SessionDaysProps) {
  const unanswered = unansweredQuestions(askedQuestions(detail), detail.recordings);
  return (
    <>
      {recordingDays(detail.recordings, detail).map(({ day, recordings }) => (
        <section key={day} className={classes.day}>
          <Title order={2} mb={10}>
            {calendarDay(recordings[0]?.createdAt)}
          </Title>
          {recordings.map((recording) => children(recording))}
        </section>
      ))}
      {unanswered.length > 0 && (
        <section className={classes.day}>
          <Title order={2} mb={10}>
            Not answered
          </Title>
          {unanswered.map((index) => (
            <article
              key={index}
              id={questionHash(index).slice(1)}
              className={cardClasses.unanswered}
              aria-label={`Question ${index + 1}`}
            >
              <h3 className={cardClasses.number}>Question {index + 1}</h3>
              <Box flex={1}>
                <MarkedText>{detail.questions[index] ?? ''}</MarkedText>
              </Box>
              <Text span flex="none" c="dimmed" size="sm">
                Not answered
              </Text>
            </article>
          ))}
        </section>
      )}
    </>
  );
}
