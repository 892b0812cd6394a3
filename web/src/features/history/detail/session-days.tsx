import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { MarkedText } from '../../../components/marked-text.tsx';
import { calendarDay } from '../../../lib/formats.ts';
import type { SessionDetail, SessionRecording } from '../session-types.ts';
import { askedQuestions } from '../summary/question-outcomes.ts';
import { questionHash } from './question-hash.ts';
import cardClasses from './recording-card.module.css';
import { recordingDays, unansweredQuestions } from './recording-days.ts';
import classes from './session-days.module.css';

interface SessionDaysProps {
  detail: SessionDetail;
  /** The card of one recording. */
  children: (recording: SessionRecording) => ReactNode;
}

/** A session's recordings by calendar day, and after them the questions that were not answered. */
export function SessionDays({ detail, children }: SessionDaysProps) {
  const unanswered = unansweredQuestions(askedQuestions(detail), detail.recordings);
  return (
    <>
      {recordingDays(detail.recordings, detail).map(({ day, recordings }) => (
        <section key={day} className={classes.day}>
          <Title order={2} className={classes.title ?? ''}>
            {calendarDay(recordings[0]?.createdAt)}
          </Title>
          {recordings.map((recording) => children(recording))}
        </section>
      ))}
      {unanswered.length > 0 && (
        <section className={classes.day}>
          <Title order={2} className={classes.title ?? ''}>
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
              <div className={cardClasses.unansweredText}>
                <MarkedText>{detail.questions[index] ?? ''}</MarkedText>
              </div>
              <span className={classes.mark}>Not answered</span>
            </article>
          ))}
        </section>
      )}
    </>
  );
}
