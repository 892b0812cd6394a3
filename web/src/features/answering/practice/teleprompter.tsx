import { Switch, Text, VisuallyHidden } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import { useCallback, useEffect, useRef } from 'react';
import { MarkedText } from '../../../components/marked-text.tsx';
import type { TypingStep } from '../../../components/typing/typing-step.ts';
import { useTypedText } from '../../../components/typing/use-typed-text.ts';
import { useKeptSwitch } from '../session/icon-toggle.tsx';
import { practiceSteps } from './practice-typing.ts';
import classes from './teleprompter.module.css';

interface TeleprompterProps {
  answer: string;
  /** Whether the question is being recorded. */
  typing: boolean;
  userId: string;
}

/** Shows the whole text in one step. */
function* atOnce(text: string): Generator<TypingStep> {
  yield { waitMs: 0, edit: { type: 'append', text } };
}

/** The set's answer, typed out while recording, at once with reduced motion. Screen readers get the whole text. */
export function Teleprompter({ answer, typing, userId }: TeleprompterProps) {
  const still = useReducedMotion();
  const [typos, makeTypos] = useKeptSwitch('typos', userId);
  const begin = useCallback(
    () => (still ? atOnce(answer) : practiceSteps(answer, Math.random, typos)),
    [still, answer, typos],
  );
  const { text, done } = useTypedText(begin, typing);
  const panel = useRef<HTMLElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the end stays in view as the text grows
  useEffect(() => {
    if (!still && panel.current) panel.current.scrollTop = panel.current.scrollHeight;
  }, [still, text]);

  const shown = typing || text !== '';
  return (
    <>
      <div className={classes.frame}>
        <section
          ref={panel}
          className={classes.panel}
          aria-label="Suggested answer"
          data-typing={typing && !done}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a long answer is scrolled by keyboard too
          tabIndex={0}
        >
          {!shown && (
            <Text c="dimmed" size="sm">
              {answer.trim() === ''
                ? 'This question has no written answer.'
                : 'The suggested answer types itself here while you record.'}
            </Text>
          )}
          {shown && <VisuallyHidden>{answer}</VisuallyHidden>}
          <div className={classes.text} aria-hidden>
            <MarkedText>{text}</MarkedText>
          </div>
        </section>
      </div>
      {!still && answer.trim() !== '' && !typing && (
        <Switch
          mt="xs"
          size="xs"
          label="Type with typing errors"
          checked={typos}
          onChange={(event) => makeTypos(event.currentTarget.checked)}
        />
      )}
    </>
  );
}
