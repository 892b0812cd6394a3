import type { PracticeSet } from '@interview-prep/contracts/catalog/sets';
import { Alert, Button, Text } from '@mantine/core';
import { IconVideoOff } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { MarkedText } from '../../../components/marked-text.tsx';
import { countOf } from '../../../lib/formats.ts';
import { messages } from '../../../lib/messages.ts';
import { paths } from '../../../lib/paths.ts';
import type { DeviceProblem } from '../../../lib/recording/device-problem.ts';
import { devicesOf, type InputKind } from '../../../lib/recording/input-devices.ts';
import { useSoundLevel } from '../../../lib/recording/use-sound-level.ts';
import type { Input } from '../session/answer-events.ts';
import { type DeviceGroup, DeviceMenu } from '../session/device-menu.tsx';
import { SessionLayout } from '../session/session-layout.tsx';
import { UnsentAnswers } from '../session/unsent-answers.tsx';
import type { AnsweringSession } from '../session/use-answering-session.ts';
import { CameraPreview } from './camera-preview.tsx';
import { devicesAdvice } from './device-advice.ts';
import buttonClasses from './practice-buttons.module.css';
import classes from './practice-layout.module.css';
import { canDo, type PracticeButton, type PracticePhase, type PracticeState } from './practice-machine.ts';
import { Teleprompter } from './teleprompter.tsx';
import type { useCamera } from './use-camera.ts';

interface PracticeButtonsProps {
  state: PracticeState;
  /** Whether the input is open. */
  ready: boolean;
  onPress: (button: 'start' | 'next' | 'finish') => void;
}

const buttons = [
  ['start', 'Start Recording'],
  ['next', 'Next Question'],
  ['finish', 'Finish Practice'],
] as const;

interface DevicesHelpProps {
  problem: DeviceProblem;
  onRetry: () => void;
}

/** No input: what happened and what to do. */
function DevicesHelp({ problem, onRetry }: DevicesHelpProps) {
  const { title, advice } = devicesAdvice[problem];
  return (
    <Alert role="alert" color="orange" title={title} icon={<IconVideoOff />}>
      <Text size="sm">{advice} Your saved answers are safe.</Text>
      <Button mt="sm" size="xs" variant="default" onClick={onRetry}>
        Try again
      </Button>
    </Alert>
  );
}

interface PracticeLayoutProps {
  set: PracticeSet;
  session: AnsweringSession<PracticeState, PracticeButton>;
  camera: ReturnType<typeof useCamera>;
  userId: string;
}

const stateWords: Readonly<Record<PracticePhase['name'], string>> = {
  ready: 'Ready when you are',
  starting: 'Initializing...',
  recording: messages.recorder.inProgress,
  stopping: 'Saving your answer',
  uploading: messages.recorder.uploading,
  held: 'Answer not sent yet',
  refused: 'Nothing recorded',
  micUnavailable: 'Not recording',
  'sending-rest': 'Waiting for the network',
  completed: 'Session completed',
};

/** The phases in which the level meter is active. */
const live: ReadonlySet<PracticePhase['name']> = new Set(['ready', 'starting', 'recording']);

/** A practice session: camera preview, question, typed answer, buttons. */
export function PracticeLayout({ set, session, camera, userId }: PracticeLayoutProps) {
  const { state, dispatch, unsent } = session;
  const { phase, index, questionCount } = state;
  const { input, cameraProblem, devices, reopen } = camera;
  const recording = phase.name === 'recording';
  const meter = useRef<HTMLDivElement>(null);
  const stream = input.status === 'open' ? input.stream : null;
  const hearing = useSoundLevel(stream, meter, `${index}/${phase.name}`, session.soundLog);
  const question = useRef<HTMLHeadingElement>(null);

  const first = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every question after the first takes the focus
  useEffect(() => {
    if (!first.current) question.current?.focus({ preventScroll: true });
    first.current = false;
  }, [index]);

  const [finishing, setFinishing] = useState(false);
  const unanswered = questionCount - index - 1;
  const press = (type: 'start' | 'next' | 'finish') =>
    type === 'finish' && unanswered > 0 ? setFinishing(true) : dispatch({ type });
  const blocked = input.status === 'failed' && phase.name === 'ready';

  const waiting = phase.name === 'ready' && unsent !== null && unsent.length > 0;
  const recordAgain = () => {
    session.recordAgain();
    question.current?.focus({ preventScroll: true });
  };
  const switchTo = (kind: InputKind, deviceId: string) => {
    session.take.discard();
    camera.switchTo(kind, deviceId);
    if (recording) dispatch({ type: 'record-again' });
  };
  const mayReopen = phase.name !== 'recording' && phase.name !== 'stopping';

  return (
    <SessionLayout
      className={classes.layout ?? ''}
      set={set}
      leaveTo={paths.practice}
      session={{ ...session, recordAgain }}
      recordingSinceMs={recording ? phase.startedAtMs : null}
      unsaved={phase.name === 'held' || phase.name === 'refused' ? phase : null}
      onSendAgain={() => dispatch({ type: 'send-again' })}
      onSendLater={() => dispatch({ type: 'send-later' })}
      deviceHelp={
        input.status === 'failed' &&
        (phase.name === 'ready' || phase.name === 'micUnavailable') && (
          <DevicesHelp problem={input.problem} onRetry={reopen} />
        )
      }
      stateText={blocked ? stateWords.micUnavailable : stateWords[phase.name]}
      hearing={hearing}
      listening={recording}
      meter={meter}
      live={stream !== null && live.has(phase.name)}
      controls={
        <>
          <DeviceMenu
            groups={deviceGroups(devices, input, switchTo)}
            startsAgain={recording}
            disabled={['stopping', 'uploading', 'sending-rest', 'completed'].includes(phase.name)}
          />
          {recording && (
            <Button variant="subtle" size="compact-sm" onClick={() => dispatch({ type: 'listen' })}>
              Stop and listen
            </Button>
          )}
          <PracticeButtons
            state={state}
            ready={input.status === 'open' && unsent !== null && !waiting}
            onPress={press}
          />
        </>
      }
    >
      <ConfirmDialog
        destructive={false}
        opened={finishing}
        title="Finish this practice session?"
        confirmLabel="Finish now"
        cancelLabel="Keep practicing"
        onCancel={() => setFinishing(false)}
        onConfirm={() => {
          setFinishing(false);
          dispatch({ type: 'finish' });
        }}
      >
        You have {countOf(unanswered, 'question')} left. Your answers so far are kept.
      </ConfirmDialog>
      <div className={classes.room}>
        <div className={classes.camera}>
          <CameraPreview input={input} cameraProblem={cameraProblem} onRetry={mayReopen ? reopen : undefined} />
        </div>
        <div className={classes.script}>
          {waiting ? (
            <UnsentAnswers
              kind="practice"
              unsent={unsent}
              onDone={session.forgetUnsent}
              onAdopt={session.adopt}
              onSent={session.noteSent}
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
              <Teleprompter key={index} answer={set.answers[index] ?? ''} typing={recording} userId={userId} />
            </>
          )}
        </div>
      </div>
    </SessionLayout>
  );
}

/** The microphones and cameras to choose from. */
function deviceGroups(
  devices: readonly MediaDeviceInfo[],
  input: Input,
  onChoose: (kind: InputKind, deviceId: string) => void,
): DeviceGroup[] {
  const stream = input.status === 'open' ? input.stream : null;
  const idOf = (tracks: MediaStreamTrack[] | undefined) => tracks?.[0]?.getSettings().deviceId;
  return [
    {
      label: 'Microphone',
      devices: devicesOf('audioinput', devices),
      deviceId: idOf(stream?.getAudioTracks()),
      onChoose: (deviceId) => onChoose('audioinput', deviceId),
    },
    {
      label: 'Camera',
      devices: devicesOf('videoinput', devices),
      deviceId: idOf(stream?.getVideoTracks()),
      onChoose: (deviceId) => onChoose('videoinput', deviceId),
    },
  ];
}

/** The session's three buttons, in fixed places. The next step is filled, unless a notice has it. */
function PracticeButtons({ state, ready, onPress }: PracticeButtonsProps) {
  const able = {
    start: ready && canDo(state, 'start'),
    next: canDo(state, 'next'),
    finish: canDo(state, 'finish'),
  };
  const last = state.index === state.questionCount - 1;
  const held = state.phase.name === 'held';
  const leading = held ? null : able.start ? 'start' : able.next && !last ? 'next' : 'finish';
  return (
    <div className={buttonClasses.buttons}>
      {buttons.map(([button, label]) => (
        <Button
          key={button}
          size="md"
          variant={button === leading ? 'filled' : 'default'}
          disabled={!able[button]}
          onClick={() => onPress(button)}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}
