import type { PracticeSet } from '@interview-prep/contracts/sets';
import { Button } from '@mantine/core';
import { type Dispatch, useEffect, useRef } from 'react';
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
import { CameraPreview } from './camera-preview.tsx';
import { DevicesHelp } from './devices-help.tsx';
import { PracticeButtons } from './practice-buttons.tsx';
import type { Phase, PracticeEvent, PracticeState } from './practice-machine.ts';
import classes from './practice-stage.module.css';
import { Teleprompter } from './teleprompter.tsx';
import type { useCamera } from './use-camera.ts';

interface PracticeStageProps {
  set: PracticeSet;
  state: PracticeState;
  dispatch: Dispatch<PracticeEvent>;
  camera: ReturnType<typeof useCamera>;
  take: ReturnType<typeof useTake>;
  unsent: readonly UnsentAnswer[] | null;
  sessionId: string;
  onUnsentDone: (draftId: string) => void;
}

const stateWords: Readonly<Record<Phase['name'], string>> = {
  ready: 'Ready when you are',
  starting: 'Initializing...',
  recording: messages.recorder.inProgress,
  stopping: 'Saving your answer',
  uploading: messages.recorder.uploading,
  held: 'Answer not sent yet',
  refused: 'Nothing recorded',
  unheard: 'Not recording',
  completed: 'Session completed',
};

/** Where the level meter moves: elsewhere nobody listens. */
const live: ReadonlySet<Phase['name']> = new Set(['ready', 'starting', 'recording']);

/** What is seen of a practice session: the person as in a mirror, the question and its answer beside it, the buttons below. */
export function PracticeStage(props: PracticeStageProps) {
  const { set, state, dispatch, camera, take, unsent, sessionId, onUnsentDone } = props;
  const { phase, index, questionCount, saved } = state;
  const { input, cameraProblem, reopen } = camera;
  const recording = phase.name === 'recording';
  const meter = useRef<HTMLDivElement>(null);
  const stream = input.status === 'open' ? input.stream : null;
  const hearing = useSoundLevel(stream, meter, `${index}/${phase.name}`);
  const question = useRef<HTMLHeadingElement>(null);

  const first = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each further question takes the focus as it comes
  useEffect(() => {
    if (!first.current) question.current?.focus({ preventScroll: true });
    first.current = false;
  }, [index]);

  const recordAgain = () => {
    take.abandon();
    dispatch({ type: 'record-again' });
  };
  const waiting = phase.name === 'ready' && unsent !== null && unsent.length > 0;
  const mayReopen = phase.name !== 'recording' && phase.name !== 'stopping';

  return (
    <div className={classes.stage}>
      <div className={classes.top}>
        <div>
          <p className={classes.set}>{set.title}</p>
          <ProgressDots questionCount={questionCount} index={index} saved={saved} />
        </div>
        <Button component={Link} to={paths.practice} variant="default" size="xs">
          Leave
        </Button>
      </div>

      <div className={classes.room}>
        <div className={classes.camera}>
          <CameraPreview input={input} cameraProblem={cameraProblem} onRetry={mayReopen ? reopen : undefined} />
        </div>
        <div className={classes.script}>
          {waiting ? (
            <UnsentAnswers
              kind="practice"
              unsent={unsent}
              onDone={onUnsentDone}
              onAdopt={(draft) => {
                if (draft.sessionId !== sessionId || draft.questionId !== index) return false;
                dispatch({ type: 'adopt', answer: draft.answer });
                return true;
              }}
            />
          ) : (
            <>
              <section aria-label={`Question ${index + 1} of ${questionCount}`}>
                <p className={classes.position} aria-hidden>
                  Question {index + 1} of {questionCount}
                </p>
                <h1 className={classes.question} ref={question} tabIndex={-1}>
                  <MarkedText>{set.questions[index] ?? ''}</MarkedText>
                </h1>
              </section>
              <Teleprompter key={index} answer={set.answers[index] ?? ''} typing={recording} />
            </>
          )}
        </div>
      </div>

      <div className={classes.bottom}>
        {input.status === 'failed' && (phase.name === 'ready' || phase.name === 'unheard') && (
          <DevicesHelp problem={input.problem} onRetry={reopen} />
        )}
        {(phase.name === 'held' || phase.name === 'refused') && (
          <AnswerNotice
            phase={phase}
            kept={take.kept}
            onRecordAgain={recordAgain}
            onSendAgain={() => dispatch({ type: 'send-again' })}
          />
        )}
        <div className={classes.controls}>
          <RecordingIndicator
            state={stateWords[phase.name]}
            recordingSinceMs={recording ? phase.startedAtMs : null}
            hearing={hearing}
            listening={recording}
            sizeBytes={take.sizeBytes}
            meter={meter}
            live={stream !== null && live.has(phase.name)}
          />
          <PracticeButtons
            state={state}
            ready={input.status === 'open' && unsent !== null && !waiting}
            onPress={(type) => dispatch({ type })}
          />
        </div>
      </div>
    </div>
  );
}
