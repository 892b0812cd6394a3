import type { InterviewSet } from '@interview-prep/contracts/catalog/sets';
import { Alert, Button, Group, Text } from '@mantine/core';
import { IconCheck, IconInfoCircle } from '@tabler/icons-react';
import { type ReactNode, type RefObject, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { canStoreDrafts } from '../../../lib/drafts/answer-drafts.ts';
import { languageName } from '../../../lib/formats.ts';
import { messages } from '../../../lib/messages.ts';
import type { Hearing } from '../../../lib/recording/use-sound-level.ts';
import type { SavedAnswer } from './answer-events.ts';
import { AnswerNotice, type HeldAnswer } from './answer-notice.tsx';
import type { AnsweringState } from './answering-machine.ts';
import dotClasses from './progress-dots.module.css';
import { RecordingIndicator } from './recording-indicator.tsx';
import classes from './session-layout.module.css';

interface ProgressDotsProps {
  questionCount: number;
  index: number;
  saved: readonly SavedAnswer[];
  /** The number of follow-up questions, which come last. */
  followUpCount: number;
}

/** Whether the browser's database accepts answers. True until that is known. */
function useCanStoreDrafts(): boolean {
  const [can, setCan] = useState(true);
  useEffect(() => {
    let shown = true;
    void canStoreDrafts().then((found) => {
      if (shown) setCan(found);
    });
    return () => {
      shown = false;
    };
  }, []);
  return can;
}

/** The part of a session that the layout needs. */
interface ShownSession {
  state: Pick<AnsweringState<{ name: string }>, 'questionCount' | 'index' | 'saved'>;
  take: { sizeBytes: number };
  persisted: boolean;
  recordAgain: () => void;
  followUps: readonly unknown[];
}

interface SessionLayoutProps {
  /** Sets the width, and may set `--controls-gap` and, for phones, `--controls-padding`. */
  className: string;
  set: Pick<InterviewSet, 'title' | 'language'>;
  /** The path of the Leave link. */
  leaveTo: string;
  /** Shown next to Leave. */
  settings?: ReactNode;
  session: ShownSession;
  /** Milliseconds since 1970; null while nothing is recorded. */
  recordingSinceMs: number | null;
  /** The end of the thinking or answering time, in milliseconds since 1970; omitted without a limit. */
  untilMs?: number | null;
  /** An answer that wasn't uploaded; null if there is none. */
  unsaved: HeldAnswer | { name: 'refused'; message: string } | null;
  /** Omitted if the controls have their own button. */
  onSendAgain?: () => void;
  /** Queues an answer until the network is back. */
  onSendLater: () => void;
  /** Advice about a missing device. */
  deviceHelp: ReactNode;
  /** The state in words. */
  stateText: string;
  hearing: Hearing;
  /** Whether to report silence. */
  listening: boolean;
  meter: RefObject<HTMLDivElement | null>;
  /** Whether the meter is active. */
  live: boolean;
  children: ReactNode;
  /** The buttons, always visible at the bottom. */
  controls: ReactNode;
}

/** The layout of a session: set, progress and Leave at the top, then the question, with notices and controls at the bottom. */
export function SessionLayout(props: SessionLayoutProps) {
  const { set, session, unsaved, onSendAgain } = props;
  const { questionCount, index, saved } = session.state;
  const canStore = useCanStoreDrafts();
  return (
    <div className={`${classes.layout} ${props.className}`}>
      <Group gap="md" align="flex-start" justify="space-between" wrap="nowrap">
        <div>
          <Text mb={10} c="dimmed" size="sm" fw={550}>
            {set.title}
            {set.language && ` · in ${languageName(set.language)}`}
          </Text>
          <ProgressDots
            questionCount={questionCount}
            index={index}
            saved={saved}
            followUpCount={session.followUps.length}
          />
        </div>
        <Group gap="xs" align="stretch" wrap="nowrap" flex="none">
          {props.settings}
          <Button component={Link} to={props.leaveTo} variant="default" size="xs">
            Leave
          </Button>
        </Group>
      </Group>
      {!canStore && (
        <Alert role="note" color="yellow" icon={<IconInfoCircle />} my="md">
          {messages.recorder.notStored}
        </Alert>
      )}
      {props.children}
      <div className={classes.bottom}>
        {props.deviceHelp}
        {unsaved && (
          <AnswerNotice
            phase={unsaved}
            persisted={session.persisted}
            onRecordAgain={session.recordAgain}
            onSendLater={props.onSendLater}
            isLast={index === questionCount - 1}
            {...(onSendAgain && { onSendAgain })}
          />
        )}
        <div className={classes.controls}>
          <RecordingIndicator
            state={props.stateText}
            recordingSinceMs={props.recordingSinceMs}
            untilMs={props.untilMs ?? null}
            hearing={props.hearing}
            listening={props.listening}
            sizeBytes={session.take.sizeBytes}
            meter={props.meter}
            live={props.live}
          />
          {props.controls}
        </div>
      </div>
    </div>
  );
}

/** One dot per question: saved, current, upcoming. */
function ProgressDots({ questionCount, index, saved, followUpCount }: ProgressDotsProps) {
  const ownCount = questionCount - followUpCount;
  const answered = new Set(saved.map(({ askedIndex }) => askedIndex));
  return (
    <ol className={dotClasses.dots} aria-label={`${answered.size} of ${questionCount} answers saved`}>
      {Array.from({ length: questionCount }, (_, question) => {
        const state = answered.has(question) ? 'saved' : question === index ? 'current' : 'upcoming';
        const number = question < ownCount ? `Question ${question + 1}` : `Follow-up ${question - ownCount + 1}`;
        const name = `${number}: ${state}`;
        return (
          <li
            key={name}
            className={dotClasses.dot}
            data-state={state}
            aria-current={question === index ? 'step' : undefined}
            title={name}
          >
            <span className={dotClasses.name}>{name}</span>
            {state === 'saved' && <IconCheck size={10} stroke={3.5} aria-hidden />}
          </li>
        );
      })}
    </ol>
  );
}
