import { type AnswerTiming, usualThinkingSeconds } from '@interview-prep/contracts/catalog/answer-timing';
import type { InterviewSet } from '@interview-prep/contracts/catalog/sets';
import { Button, Stack, Text } from '@mantine/core';
import { IconVolume, IconVolumeOff } from '@tabler/icons-react';
import { useCallback, useEffect, useId, useRef } from 'react';
import { MarkedText } from '../../../components/marked-text.tsx';
import { countOf, roundTime } from '../../../lib/formats.ts';
import { messages } from '../../../lib/messages.ts';
import { paths } from '../../../lib/paths.ts';
import { useSoundLevel } from '../../../lib/recording/use-sound-level.ts';
import type { ReadAloudChoice } from '../reading/use-read-aloud-choice.ts';
import type { HeldReason } from '../session/answer-events.ts';
import { DeviceMenu } from '../session/device-menu.tsx';
import { IconToggle, useKeptSwitch } from '../session/icon-toggle.tsx';
import { SessionLayout } from '../session/session-layout.tsx';
import { UnsentAnswers } from '../session/unsent-answers.tsx';
import type { AnsweringSession } from '../session/use-answering-session.ts';
import { useConfirmedDiscard } from '../session/use-confirmed-discard.tsx';
import classes from './interview-layout.module.css';
import type { InterviewEvent, InterviewPhase, InterviewState } from './interview-machine.ts';
import { LiveWordsPanel, LiveWordsToggle } from './live-words.tsx';
import { MicrophoneCheck } from './microphone-check.tsx';
import { MicrophoneHelp } from './microphone-help.tsx';
import { useAsking } from './use-asking.ts';
import { useEnterKey } from './use-enter-key.ts';
import type { useMicrophone } from './use-microphone.ts';
import { useTimeLimit } from './use-time-limit.ts';

/** Toggles reading aloud. Renders nothing if the browser has no voice. */
function ReadAloudButton({ choice }: { choice: ReadAloudChoice }) {
  if (!choice.available) return null;
  const Icon = choice.chosen ? IconVolume : IconVolumeOff;
  return (
    <IconToggle label="Read the question aloud" isOn={choice.chosen} onChange={choice.choose}>
      <Icon size={16} />
    </IconToggle>
  );
}

/** Describes what precedes each recording, and its time limit, in a sentence. */
function timesSentence({ thinkingSeconds, timeLimitSeconds }: AnswerTiming, readsAloud: boolean): string {
  const think = thinkingSeconds && `${roundTime(thinkingSeconds)} to think before the recording starts`;
  const limit = timeLimitSeconds && `${roundTime(timeLimitSeconds)} to answer`;
  if (!think && !limit) {
    return readsAloud
      ? 'Each question is read aloud, then the recording starts.'
      : 'Recording starts as soon as each question appears.';
  }
  return `You have ${[think, limit].filter(Boolean).join(', then ')}, for each question.`;
}

interface InterviewLayoutProps {
  set: InterviewSet;
  /** The question's set, in a review. */
  source?: InterviewSet | undefined;
  session: AnsweringSession<InterviewState, InterviewEvent>;
  input: ReturnType<typeof useMicrophone>;
  readAloud: ReadAloudChoice;
  userId: string;
}

const stateWords: Partial<Record<InterviewPhase['name'], string>> = {
  check: 'Microphone',
  recording: messages.recorder.inProgress,
  stopping: 'Saving your answer',
  uploading: messages.recorder.uploading,
  asking: 'Ready when you are',
  held: 'Answer not sent yet',
  refused: 'Nothing recorded',
  micUnavailable: 'Not recording',
  'following-up': 'All answers saved',
  'sending-rest': 'Waiting for the network',
  completed: 'All answers saved',
};

/** The phases in which the level meter is active. */
const live: ReadonlySet<InterviewPhase['name']> = new Set(['check', 'asking', 'starting', 'recording']);

/** The label of the button that sends a held answer. */
const sendsIt: Partial<Record<HeldReason, string>> = {
  silent: 'send it as it is',
  'time-limit': 'send it',
  listening: 'send it',
};

const stepWords = { reading: 'Reading the question', thinking: 'Time to think' } as const;

/** An interview: progress, question, recording indicator, one button. */
export function InterviewLayout({ set, source, session, input, readAloud, userId }: InterviewLayoutProps) {
  const { state, dispatch, take, unsent } = session;
  const { phase, index, questionCount } = state;
  const { microphone, devices, deviceId, reopen } = input;
  const meter = useRef<HTMLDivElement>(null);
  const stream = microphone.status === 'open' ? microphone.stream : null;
  const hearing = useSoundLevel(stream, meter, `${index}/${phase.name}`, session.soundLog);
  const question = useRef<HTMLHeadingElement>(null);
  const [showsWords, showWords] = useKeptSwitch('words', userId);

  const sendsAgainId = useId();

  const asking = phase.name !== 'check';
  // biome-ignore lint/correctness/useExhaustiveDependencies: every question takes the focus
  useEffect(() => {
    if (asking) question.current?.focus({ preventScroll: true });
  }, [asking, index]);

  const advance = useCallback(() => dispatch({ type: 'advance' }), [dispatch]);
  const begin = useCallback(() => dispatch({ type: 'begin' }), [dispatch]);
  const answer = useCallback(() => dispatch({ type: 'answer' }), [dispatch]);
  const times = { ...(source ?? set), thinkingSeconds: (source ?? set).thinkingSeconds ?? usualThinkingSeconds };
  const awaitsPerson = phase.name === 'asking' && phase.awaitsPerson === true;
  const step = useAsking({
    active: phase.name === 'asking' && !awaitsPerson,
    question: session.question,
    language: times.language ?? 'en',
    readsAloud: readAloud.chosen,
    thinkingSeconds: times.thinkingSeconds,
    onReady: answer,
  });
  const recordingSinceMs = phase.name === 'recording' ? phase.startedAtMs : null;
  const limitUntilMs = useTimeLimit(recordingSinceMs, times.timeLimitSeconds, take.stopAtTimeLimit);
  const switchTo = (id: string) => {
    take.discard();
    reopen(id);
    if (phase.name === 'recording') dispatch({ type: 'record-again' });
  };
  useEnterKey(phase.name === 'recording' || phase.name === 'held', advance);
  const mayStart = step !== null || awaitsPerson;
  useEnterKey(mayStart, answer);

  const recordAgain = () => {
    session.recordAgain();
    question.current?.focus({ preventScroll: true });
  };

  const { ask, dialog } = useConfirmedDiscard();
  const skip = () => {
    const leave = () => {
      take.discard();
      dispatch({ type: session.parent ? 'skip-follow-up' : 'skip' });
    };
    if (phase.name === 'recording' || phase.name === 'held') ask('Skip this question', leave);
    else leave();
  };

  const last = index === questionCount - 1;
  const isWaiting = phase.name === 'following-up' || phase.name === 'sending-rest';
  const busy = isWaiting || phase.name === 'stopping' || phase.name === 'uploading' || phase.name === 'completed';
  const label = busy ? 'Processing...' : last ? 'Complete Interview' : 'Next Question';
  const held = phase.name === 'held';

  return (
    <SessionLayout
      className={classes.layout ?? ''}
      set={set}
      leaveTo={paths.home}
      settings={
        <>
          <LiveWordsToggle isOn={showsWords} onChange={showWords} />
          <ReadAloudButton choice={readAloud} />
        </>
      }
      session={{ ...session, recordAgain }}
      recordingSinceMs={recordingSinceMs}
      untilMs={step?.name === 'thinking' ? step.untilMs : limitUntilMs}
      unsaved={phase.name === 'held' || phase.name === 'refused' ? phase : null}
      onSendLater={() => dispatch({ type: 'send-later' })}
      deviceHelp={
        microphone.status === 'failed' &&
        (phase.name === 'micUnavailable' || phase.name === 'check' || phase.name === 'asking') && (
          <MicrophoneHelp problem={microphone.problem} onRetry={() => reopen()} />
        )
      }
      stateText={step ? stepWords[step.name] : (stateWords[phase.name] ?? 'Initializing...')}
      hearing={hearing}
      listening={phase.name === 'recording' || phase.name === 'check'}
      meter={meter}
      live={stream !== null && live.has(phase.name)}
      controls={
        <>
          <DeviceMenu
            groups={[{ label: 'Microphone', devices, deviceId, onChoose: switchTo }]}
            startsAgain={phase.name === 'recording'}
            disabled={busy}
          />
          {phase.name === 'recording' && (
            <>
              <Button variant="subtle" size="compact-sm" onClick={() => ask('Start over', recordAgain)}>
                Start this answer over
              </Button>
              <Button variant="subtle" size="compact-sm" onClick={() => dispatch({ type: 'listen' })}>
                Stop and listen
              </Button>
            </>
          )}
          {mayStart && (
            <Button className={classes.advance} size="lg" onClick={answer}>
              Answer now
            </Button>
          )}
          {asking && !mayStart && (
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
          {phase.name === 'held' && (
            <p className={classes.sendsAgain} id={sendsAgainId}>
              Saved on this device. Select {label} to {sendsIt[phase.reason] ?? 'retry'}.
            </p>
          )}
        </>
      }
    >
      {dialog}
      {phase.name === 'sending-rest' ? (
        <Stack component="section" gap={0} justify="center" flex={1} py="xl" role="status">
          <h1 className={classes.text}>Waiting for the network</h1>
          <p className={classes.parent}>
            {countOf(state.waiting.length, 'answer is', 'answers are')} saved on this device and will be sent
            automatically.
          </p>
        </Stack>
      ) : isWaiting ? (
        <Stack component="section" gap={0} justify="center" flex={1} py="xl" role="status">
          <Text mb="sm" c="dimmed" size="sm" className="tabular">
            All answers saved
          </Text>
          <h1 className={classes.text}>Looking for a follow-up question</h1>
          <p className={classes.parent}>This takes a few seconds at most. Without one, the interview ends here.</p>
        </Stack>
      ) : asking ? (
        <Stack component="section" gap={0} justify="center" flex={1} py="xl" aria-live="polite">
          <Text mb="sm" c="dimmed" size="sm" className="tabular">
            {session.parent
              ? `Follow-up to question ${session.parent.number}`
              : `Question ${index + 1} of ${questionCount}`}
          </Text>
          {session.parent && (
            <p className={classes.parent}>
              <MarkedText>{session.parent.question}</MarkedText>
            </p>
          )}
          {source && (
            <Text c="dimmed" size="sm">
              From {source.title}
            </Text>
          )}
          <h1 className={classes.text} ref={question} tabIndex={-1}>
            <MarkedText>{session.question}</MarkedText>
          </h1>
          {times.lengthHintSeconds !== undefined && !session.parent && (
            <Text mt="sm" c="dimmed" size="sm">
              Aim for about {roundTime(times.lengthHintSeconds)}.
            </Text>
          )}
          {!busy && (
            <Button className={classes.skip ?? ''} variant="subtle" size="compact-sm" onClick={skip}>
              {session.parent ? 'Finish without this answer' : 'Skip this question'}
            </Button>
          )}
        </Stack>
      ) : (
        <Stack component="section" gap={0} justify="center" flex={1} py="xl">
          {unsent !== null && unsent.length > 0 ? (
            <UnsentAnswers
              kind="interview"
              unsent={unsent}
              onDone={session.forgetUnsent}
              onAdopt={session.adopt}
              onSent={session.noteSent}
            />
          ) : (
            <MicrophoneCheck
              ready={microphone.status === 'open' && unsent !== null}
              hearing={hearing}
              times={timesSentence(times, readAloud.chosen)}
              questionNumber={index + 1}
              questionCount={questionCount}
              onBegin={begin}
            />
          )}
        </Stack>
      )}
      {asking && !isWaiting && showsWords && <LiveWordsPanel draftId={take.draftId} />}
    </SessionLayout>
  );
}
