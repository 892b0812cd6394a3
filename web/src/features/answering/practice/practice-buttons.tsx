import { Button } from '@mantine/core';
import classes from './practice-buttons.module.css';
import { canDo, type PracticeState } from './practice-machine.ts';

interface PracticeButtonsProps {
  state: PracticeState;
  /** The input is open. */
  ready: boolean;
  onPress: (button: 'start' | 'next' | 'finish') => void;
}

const buttons = [
  ['start', 'Start Recording'],
  ['next', 'Next Question'],
  ['finish', 'Finish Practice'],
] as const;

/** The session's three buttons, in fixed places. The next step is filled, unless a notice has it. */
export function PracticeButtons({ state, ready, onPress }: PracticeButtonsProps) {
  const able = {
    start: ready && canDo(state, 'start'),
    next: canDo(state, 'next'),
    finish: canDo(state, 'finish'),
  };
  const last = state.index === state.questionCount - 1;
  const held = state.phase.name === 'held';
  const leading = held ? null : able.start ? 'start' : able.next && !last ? 'next' : 'finish';
  return (
    <div className={classes.buttons}>
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
