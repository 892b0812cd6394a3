import type { InterviewSet } from '@interview-prep/contracts/sets';
import { Button } from '@mantine/core';
import { useCallback, useEffect, useId, useRef } from 'react';
import { MarkedText } from '../../../components/marked-text.tsx';
import { messages } from '../../../lib/messages.ts';
import { paths } from '../../../lib/paths.ts';
import { useSoundLevel } from '../../../lib/recording/use-sound-level.ts';
import { SessionLayout } from '../session/session-layout.tsx';
import { UnsentAnswers } from '../session/unsent-answers.tsx';
import type { AnsweringSession } from '../session/use-answering-session.ts';
import classes from './interview-layout.module.css';
import type { InterviewEvent, InterviewPhase, InterviewState } from './interview-machine.ts';
import { MicrophoneCheck } from './microphone-check.tsx';
import { MicrophoneHelp } from './microphone-help.tsx';
import { MicrophoneMenu } from './microphone-menu.tsx';
import { useEnterKey } from './use-enter-key.ts';
import type { useMicrophone } from './use-microphone.ts';

interface InterviewLayoutProps {
  set: InterviewSet;
  /** The set that the question is from, in a review. */
  source?: string | undefined;
  session: AnsweringSession<InterviewState, InterviewEvent>;
  input: ReturnType<typeof useMicrophone>;
}

const stateWords: Partial<Record<InterviewPhase['name'], string>> = {
  check: 'Microphone',
  recording: messages.recorder.inProgress,
  stopping: 'Saving your answer',
  uploading: messages.recorder.uploading,
  held: 'Answer not sent yet',
  refused: 'Nothing recorded',
  micUnavailable: 'Not recording',
  'following-up': 'All answers saved',
  completed: 'All answers saved',
};

/** The phases in which the level meter moves. */
const live: ReadonlySet<InterviewPhase['name']> = new Set(['check', 'starting', 'recording']);

/** An interview: progress, question, recording indicator, one button. */
export function InterviewLayout({ set, source, session, input }: InterviewLayoutProps) {
  const { state, dispatch, take, unsent } = session;
  const { phase, index, questionCount } = state;
  const { microphone, devices, deviceId, reopen } = input;
  const meter = useRef<HTMLDivElement>(null);
  const stream = microphone.status === 'open' ? microphone.stream : null;
  const hearing = useSoundLevel(stream, meter, `${index}/${phase.name}`);
  const question = useRef<HTMLHeadingElement>(null);

  const sendsAgainId = useId();

  const asking = phase.name !== 'check';
  // biome-ignore lint/correctness/useExhaustiveDependencies: every question takes the focus
  useEffect(() => {
    if (asking) question.current?.focus({ preventScroll: true });
  }, [asking, index]);

  const advance = useCallback(() => dispatch({ type: 'advance' }), [dispatch]);
  const begin = useCallback(() => dispatch({ type: 'begin' }), [dispatch]);
  const switchTo = (id: string) => {
    take.discard();
    reopen(id);
    if (phase.name === 'recording') dispatch({ type: 'record-again' });
  };
  useEnterKey(phase.name === 'recording' || phase.name === 'held', advance);

  const recordAgain = () => {
    session.recordAgain();
    question.current?.focus({ preventScroll: true });
  };

  const skip = () => {
    take.discard();
    dispatch({ type: 'skip-follow-up' });
  };

  const last = index === questionCount - 1;
  const isWaiting = phase.name === 'following-up';
  const busy = isWaiting || phase.name === 'stopping' || phase.name === 'uploading' || phase.name === 'completed';
  const label = busy ? 'Processing...' : last ? 'Complete Interview' : 'Next Question';
  const held = phase.name === 'held';

  return (
    <SessionLayout
      className={classes.layout ?? ''}
      set={set}
      leaveTo={paths.home}
      session={{ ...session, recordAgain }}
      recordingSinceMs={phase.name === 'recording' ? phase.startedAtMs : null}
      unsaved={phase.name === 'held' || phase.name === 'refused' ? phase : null}
      deviceHelp={
        microphone.status === 'failed' &&
        (phase.name === 'micUnavailable' || phase.name === 'check') && (
          <MicrophoneHelp problem={microphone.problem} onRetry={() => reopen()} />
        )
      }
      stateText={stateWords[phase.name] ?? 'Initializing...'}
      hearing={hearing}
      listening={phase.name === 'recording' || phase.name === 'check'}
      meter={meter}
      live={stream !== null && live.has(phase.name)}
      controls={
        <>
          <MicrophoneMenu
            devices={devices}
            deviceId={deviceId}
            startsAgain={phase.name === 'recording'}
            disabled={busy}
            onChoose={switchTo}
          />
          {phase.name === 'recording' && (
            <Button variant="subtle" size="compact-sm" onClick={recordAgain}>
              Start this answer over
            </Button>
          )}
          {asking && (
            <Button
              className={classes.advance}
              size="lg"
              onClick={advance}
              aria-disabled={busy}
              aria-describedby={held ? sendsAgainId : undefined}
              disabled={!busy && phase.name !== 'recording' && !held}
              data-busy={busy}
            >
              {label}
            </Button>
          )}
          {held && (
            <p className={classes.sendsAgain} id={sendsAgainId}>
              Your answer is kept: '{label}' sends it again.
            </p>
          )}
        </>
      }
    >
      {isWaiting ? (
        <section className={classes.question} role="status">
          <p className={classes.position}>All answers saved</p>
          <h1 className={classes.text}>Looking for a follow-up question</h1>
          <p className={classes.parent}>This takes a few seconds at most. Without one, the interview ends here.</p>
        </section>
      ) : asking ? (
        <section className={classes.question} aria-live="polite">
          <p className={classes.position}>
            {session.parent
              ? `Follow-up to question ${session.parent.number}`
              : `Question ${index + 1} of ${questionCount}`}
          </p>
          {session.parent && (
            <p className={classes.parent}>
              <MarkedText>{session.parent.question}</MarkedText>
            </p>
          )}
          {source && <p className={classes.source}>From {source}</p>}
          <h1 className={classes.text} ref={question} tabIndex={-1}>
            <MarkedText>{session.question}</MarkedText>
          </h1>
          {session.parent && !busy && (
            <Button className={classes.skip ?? ''} variant="subtle" size="compact-sm" onClick={skip}>
              Finish without this answer
            </Button>
          )}
        </section>
      ) : (
        <section className={classes.question}>
          {unsent !== null && unsent.length > 0 ? (
            <UnsentAnswers kind="interview" unsent={unsent} onDone={session.forgetUnsent} onAdopt={session.adopt} />
          ) : (
            <MicrophoneCheck
              ready={microphone.status === 'open' && unsent !== null}
              hearing={hearing}
              questionNumber={index + 1}
              questionCount={questionCount}
              onBegin={begin}
            />
          )}
        </section>
      )}
    </SessionLayout>
  );
}
