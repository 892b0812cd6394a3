import type { Filler } from '@interview-prep/contracts/recording/delivery';
import type { Transcription } from '@interview-prep/contracts/recording/recordings';
import { transcriptionText } from '@interview-prep/contracts/recording/transcription-text';
import { Anchor, Box, VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, type MouseEvent, useId, useMemo, useRef, useSyncExternalStore } from 'react';
import type { Playback } from '../../../components/player/use-playback.ts';
import { minutesSeconds } from '../../../lib/formats.ts';
import { spokenWords, timedNeighbour, wordIndexAt } from './spoken-words.ts';
import classes from './transcript-panel.module.css';

interface TranscriptPanelProps {
  transcription: Transcription;
  playback: Playback;
  /** The first words, while the rest is still being transcribed. */
  heard?: string | undefined;
  /** The filler words to highlight. */
  fillers?: readonly Filler[] | undefined;
  /** 'answer to question 2' */
  label: string;
  /** Whether the reader is the one who answered. */
  own?: boolean | undefined;
}

const indexOf = (target: EventTarget) =>
  target instanceof HTMLElement && target.dataset.word !== undefined ? Number(target.dataset.word) : null;

const uncertainTitle = 'Heard with little confidence';
const fillerTitle = 'Filler';
const editedTitle = (own: boolean) => `Edited by ${own ? 'you' : 'the candidate'}`;

const fillerAt = (fillers: readonly Filler[], wordIndex: number | null) =>
  wordIndex === null
    ? undefined
    : fillers.find(({ firstWord, lastWord }) => wordIndex >= firstWord && wordIndex <= lastWord);

/** The transcript. Words are highlighted as they play; a click or Enter on one plays from there. */
export function TranscriptPanel({
  transcription,
  heard,
  playback,
  fillers = [],
  label,
  own = false,
}: TranscriptPanelProps) {
  const text = transcriptionText(transcription);
  const spoken = transcription.status === 'completed' && text === transcription.text?.trim();
  if (transcription.status === 'pending' && heard) return <p className={classes.text}>{heard}…</p>;
  return (
    <>
      {spoken ? (
        <SpokenText text={text} words={transcription.words} {...{ playback, fillers, label, own }} />
      ) : (
        <Box component="p" m={0} c="dimmed">
          {text}
        </Box>
      )}
      <Gaps transcription={transcription} playback={playback} />
    </>
  );
}

/** Speech that couldn't be transcribed, to listen to. */
function Gaps({ transcription, playback }: Pick<TranscriptPanelProps, 'transcription' | 'playback'>) {
  return transcription.gaps?.map(({ fromMs, toMs }) => (
    <p key={fromMs} className={classes.legend}>
      {Math.round((toMs - fromMs) / 1000)} s could not be transcribed{' '}
      {playback.state.phase !== 'failed' && (
        <Anchor component="button" type="button" size="xs" onClick={() => playback.playMoment(fromMs, toMs)}>
          Play from {minutesSeconds(fromMs / 1000)}
        </Anchor>
      )}
    </p>
  ));
}

interface SpokenTextProps extends Pick<TranscriptPanelProps, 'playback' | 'label'> {
  own: boolean;
  fillers: readonly Filler[];
  text: string;
  words: Transcription['words'];
}

function SpokenText({ text, words: timed, playback, fillers, label, own }: SpokenTextProps) {
  const { clock, state } = playback;
  const words = useMemo(() => spokenWords(text, timed ?? []), [text, timed]);
  const playable = state.phase !== 'failed' && words.some(({ startMs }) => startMs !== null);
  const heard = useSyncExternalStore(clock.subscribe, () => {
    const atMs = clock.read();
    return playable && atMs > 0 ? wordIndexAt(words, atMs) : -1;
  });
  const container = useRef<HTMLDivElement>(null);
  const hint = useId();

  if (!playable) return <p className={classes.text}>{text}</p>;

  const playFrom = (index: number | null) => {
    const startMs = index === null ? undefined : words[index]?.startMs;
    if (typeof startMs === 'number') playback.seek(startMs, true);
  };
  const focusWord = (index: number) => container.current?.querySelector<HTMLElement>(`[data-word="${index}"]`)?.focus();
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const at = indexOf(event.target);
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : null;
    if (step !== null) focusWord(timedNeighbour(words, at ?? Math.max(heard, 0) - (step === 1 ? 1 : 0), step));
    else if (event.key === 'Enter' || event.key === ' ') playFrom(at ?? Math.max(heard, timedNeighbour(words, -1, 1)));
    else return;
    event.preventDefault();
  };

  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a section would be one more landmark for each recording. */}
      <div
        ref={container}
        className={classes.text}
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: its words are reached with the arrow keys.
        tabIndex={0}
        aria-label={`Transcription of the ${label}`}
        aria-describedby={hint}
        onClick={(event: MouseEvent) => playFrom(indexOf(event.target))}
        onKeyDown={onKeyDown}
      >
        {words.map(({ text: word, startMs, uncertain, edited, wordIndex }, index) => {
          // Words may repeat, so the index is the key.
          const key = `${index}`;
          if (startMs === null) return <span key={key}>{word} </span>;
          const filler = fillerAt(fillers, wordIndex);
          return (
            <span key={key}>
              <span
                className={classes.word}
                tabIndex={-1}
                data-word={index}
                data-now={index === heard}
                data-uncertain={uncertain}
                data-edited={edited}
                data-filler={filler !== undefined}
                title={
                  filler
                    ? `${fillerTitle}: ${filler.kind}`
                    : edited
                      ? editedTitle(own)
                      : uncertain
                        ? uncertainTitle
                        : undefined
                }
              >
                {word}
              </span>{' '}
            </span>
          );
        })}
      </div>
      {fillers.length > 0 && (
        <p className={classes.legend}>
          <span data-filler className={classes.word}>
            Shaded
          </span>
          : {fillerTitle.toLowerCase()}.
        </p>
      )}
      {words.some(({ uncertain }) => uncertain) && (
        <p className={classes.legend}>
          <span data-uncertain className={classes.word}>
            Underlined
          </span>
          : {uncertainTitle.toLowerCase()}.
        </p>
      )}
      <VisuallyHidden id={hint}>Use the arrow keys to move between words and Enter to play from a word.</VisuallyHidden>
    </>
  );
}
