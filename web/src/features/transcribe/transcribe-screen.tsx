import { Box, Button, Text, VisuallyHidden } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import { IconRefresh } from '@tabler/icons-react';
import { useCallback, useState } from 'react';
import { Panel } from '../../components/panel';
import { Screen } from '../../components/screen.tsx';
import { evenSteps } from '../../components/typing/typing-step.ts';
import { useTypedText } from '../../components/typing/use-typed-text.ts';
import { minutesSeconds } from '../../lib/formats.ts';
import { useSecondsSince } from '../../lib/use-seconds-since.ts';
import classes from './transcribe-screen.module.css';

/** The text that the demo types. */
export const sampleTranscription =
  'A closure is a function that remembers the variables of the place where it was written, even after that place has ' +
  'finished its work. I use closures to keep a value private, for example a counter that nothing else can change. ' +
  'They are also what makes callbacks useful: the function that runs later still knows what was true when it was made.';

/** Source: product specification, section 9, demo transcription. */
const characterMs = 50;

/** Source: product specification, section 2, route /transcribe. */
export default function TranscribeScreen() {
  const [run, setRun] = useState({ number: 1, startedAtMs: Date.now() });
  return (
    <Screen
      width="form"
      title="Transcription demo"
      lead="A sample answer, transcribed as it is spoken. Nothing is recorded."
      actions={
        <Button
          variant="default"
          leftSection={<IconRefresh size={18} aria-hidden />}
          onClick={() => setRun(({ number }) => ({ number: number + 1, startedAtMs: Date.now() }))}
        >
          Start again
        </Button>
      }
    >
      <Demonstration key={run.number} startedAtMs={run.startedAtMs} />
    </Screen>
  );
}

/** Types the sample once; the timer stops with the last character. */
function Demonstration({ startedAtMs }: { startedAtMs: number }) {
  const still = useReducedMotion();
  const begin = useCallback(() => evenSteps(sampleTranscription, still ? 0 : characterMs), [still]);
  const { text: typed, done } = useTypedText(begin, !still);
  const finished = still || done;
  const seconds = useSecondsSince(startedAtMs, finished);
  const text = still ? sampleTranscription : typed;

  return (
    <Panel component="section" p="lg" aria-label="Sample transcription">
      <div className={classes.line}>
        <Text size="sm" fw={550} role="status">
          {finished ? 'Transcription completed' : 'Transcribing...'}
        </Text>
        <Box component="span" ff="monospace" className="tabular" role="timer" aria-label="Time">
          {minutesSeconds(seconds ?? 0)}
        </Box>
      </div>
      <VisuallyHidden>{sampleTranscription}</VisuallyHidden>
      <p className={classes.text} aria-hidden>
        {text}
        {!finished && <span className={classes.caret} />}
      </p>
    </Panel>
  );
}
