import type { InterviewSet } from '@interview-prep/contracts/sets';
import { Button } from '@mantine/core';
import { type Dispatch, useCallback, useEffect, useId, useRef } from 'react';
import { Link } from 'react-router-dom';
import { messages } from '../../app/messages.ts';
import { paths } from '../../app/paths.ts';
import { MarkedText } from '../../components/marked-text.tsx';
import type { UnsentAnswer } from '../../media/answer-drafts.ts';
import { AnswerNotice } from '../../media/answer-notice.tsx';
import { ProgressDots } from '../../media/progress-dots.tsx';
import { RecordingIndicator } from '../../media/recording-indicator.tsx';
import { UnsentAnswers } from '../../media/unsent-answers.tsx';
import { useSoundLevel } from '../../media/use-sound-level.ts';
import type { useTake } from '../../media/use-take.ts';
import classes from './interview-stage.module.css';
import { MicrophoneCheck } from './microphone-check.tsx';
import { MicrophoneHelp } from './microphone-help.tsx';
import { MicrophoneMenu } from './microphone-menu.tsx';
import type { Phase, RecorderEvent, RecorderState } from './recorder-machine.ts';
import { useEnterKey } from './use-enter-key.ts';
import type { useMicrophone } from './use-microphone.ts';

interface InterviewStageProps {
  set: InterviewSet;
  state: RecorderState;
  dispatch: Dispatch<RecorderEvent>;
  input: ReturnType<typeof useMicrophone>;
  take: ReturnType<typeof useTake>;
  unsent: readonly UnsentAnswer[] | null;
  sessionId: string;
  onUnsentDone: (draftId: string) => void;
}

const stateWords: Partial<Record<Phase['name'], string>> = {
  check: 'Microphone',
  recording: messages.recorder.inProgress,
  stopping: 'Saving your answer',
  uploading: messages.recorder.uploading,
  held: 'Answer not sent yet',
  refused: 'Nothing recorded',
  unheard: 'Not recording',
  completed: 'All answers saved',
};

/** Where the level meter moves: elsewhere nobody listens. */
const live: ReadonlySet<Phase['name']> = new Set(['check', 'starting', 'recording']);

/** What is seen of an interview: progress on top, the question, and below it the recording and the one button. */
export function InterviewStage(props: InterviewStageProps) {
  const { set, state, dispatch, input, take, unsent, sessionId, onUnsentDone } = props;
  const { phase, index, questionCount, saved } = state;
  const { microphone, devices, deviceId, reopen } = input;
  const meter = useRef<HTMLDivElement>(null);
  const stream = microphone.status === 'open' ? microphone.stream : null;
  const hearing = useSoundLevel(stream, meter, `${index}/${phase.name}`);
  const question = useRef<HTMLHeadingElement>(null);

  const sendsAgainId = useId();

  const asking = phase.name !== 'check';
  // biome-ignore lint/correctness/useExhaustiveDependencies: each question takes the focus as it comes
  useEffect(() => {
    if (asking) question.current?.focus({ preventScroll: true });
  }, [asking, index]);

  const advance = useCallback(() => dispatch({ type: 'advance' }), [dispatch]);
  const begin = useCallback(() => dispatch({ type: 'begin' }), [dispatch]);
  const recordAgain = () => {
    take.abandon();
    dispatch({ type: 'record-again' });
  };
  const switchTo = (id: string) => {
    take.abandon();
    reopen(id);
    if (phase.name === 'recording') dispatch({ type: 'record-again' });
  };
  useEnterKey(phase.name === 'recording' || phase.name === 'held', advance);

  const last = index === questionCount - 1;
  const busy = phase.name === 'stopping' || phase.name === 'uploading' || phase.name === 'completed';
  const label = busy ? 'Processing...' : last ? 'Complete Interview' : 'Next Question';
  const held = phase.name === 'held';

  return (
    <div className={classes.stage}>
      <div className={classes.top}>
        <div className={classes.where}>
          <p className={classes.set}>{set.title}</p>
          <ProgressDots questionCount={questionCount} index={index} saved={saved} />
        </div>
        <Button component={Link} to={paths.home} variant="default" size="xs">
          Leave
        </Button>
      </div>

      {asking ? (
        <section className={classes.question} aria-live="polite">
          <p className={classes.position}>
            Question {index + 1} of {questionCount}
          </p>
          <h1 className={classes.text} ref={question} tabIndex={-1}>
            <MarkedText>{set.questions[index] ?? ''}</MarkedText>
          </h1>
        </section>
      ) : (
        <section className={classes.question}>
          {unsent !== null && unsent.length > 0 ? (
            <UnsentAnswers
              kind="interview"
              unsent={unsent}
              onDone={onUnsentDone}
              onAdopt={(draft) => {
                if (draft.sessionId !== sessionId || draft.questionId !== index) return false;
                dispatch({ type: 'adopt', answer: draft.answer });
                return true;
              }}
            />
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

      <div className={classes.bottom}>
        {microphone.status === 'failed' && (phase.name === 'unheard' || phase.name === 'check') && (
          <MicrophoneHelp problem={microphone.problem} onRetry={() => reopen()} />
        )}
        {(phase.name === 'held' || phase.name === 'refused') && (
          <AnswerNotice phase={phase} kept={take.kept} onRecordAgain={recordAgain} />
        )}
        <div className={classes.controls}>
          <RecordingIndicator
            state={stateWords[phase.name] ?? 'Initializing...'}
            recordingSinceMs={phase.name === 'recording' ? phase.startedAtMs : null}
            hearing={hearing}
            listening={phase.name === 'recording' || phase.name === 'check'}
            sizeBytes={take.sizeBytes}
            meter={meter}
            live={stream !== null && live.has(phase.name)}
          />
          <MicrophoneMenu
            devices={devices}
            deviceId={deviceId}
            startsAgain={phase.name === 'recording'}
            disabled={busy}
            onChoose={switchTo}
          />
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
        </div>
      </div>
    </div>
  );
}
