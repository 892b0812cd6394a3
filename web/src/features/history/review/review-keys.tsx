import { pointStateNames } from '@interview-prep/contracts/recording/point-states';
import { PointState } from '@interview-prep/contracts/recording/recordings';
import { Button, Kbd, Popover } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconKeyboard } from '@tabler/icons-react';
import type { RefObject } from 'react';
import classes from './review.module.css';

/** The actions behind a review form's keyboard shortcuts. */
interface ReviewKeys {
  /** Moves to the next (1) or the previous (-1) point. */
  move: (by: 1 | -1) => void;
  decide: (state: PointState) => void;
  comment: () => void;
  writeReason: () => void;
  playOrPause: () => void;
  /** Opens the list of snippets. */
  snippets: () => void;
  save: () => void;
}

/**
 * A review form's keyboard shortcuts, active while the focus is in its answer, so that only one of several open forms
 * reacts. In a text field only Ctrl+Enter works.
 */
export function useReviewKeys(form: RefObject<HTMLElement | null>, keys: ReviewKeys): void {
  const item = (
    key: string,
    act: () => void,
  ): [string, (event: KeyboardEvent) => void, { preventDefault: boolean }] => [
    key,
    (event) => {
      const answer = form.current?.closest('article');
      if (event.repeat || !answer?.contains(document.activeElement)) return;
      event.preventDefault();
      act();
    },
    { preventDefault: false },
  ];
  useHotkeys([
    ...PointState.options.map((state, at) => item(String(at + 1), () => keys.decide(state))),
    item('j', () => keys.move(1)),
    item('k', () => keys.move(-1)),
    item('c', keys.comment),
    item('r', keys.writeReason),
    item('p', keys.playOrPause),
    item('s', keys.snippets),
  ]);
  useHotkeys([item('mod+Enter', keys.save)], []);
}

const help: readonly (readonly [keys: readonly string[], does: string])[] = [
  [['J', 'K'], 'Next and previous point'],
  ...PointState.options.map((state, at) => [[String(at + 1)], pointStateNames[state]] as const),
  [['P'], 'Play or pause'],
  [['C'], 'Comment at this moment'],
  [['R'], 'Write the reason'],
  [['S'], 'Insert a snippet'],
  [['Esc'], 'Back from a field to the points'],
];

/** A button that lists the shortcuts. */
export function KeysHelp({ save }: { save: string }) {
  return (
    <Popover width={360} position="bottom-end" trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button variant="subtle" color="gray" size="compact-xs" leftSection={<IconKeyboard size={16} aria-hidden />}>
          Keyboard
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Keyboard">
        <dl className={classes.keys}>
          {[...help, [['Ctrl / ⌘', 'Enter'], save] as const].map(([keys, does]) => (
            <div key={does}>
              <dt>
                {keys.map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
      </Popover.Dropdown>
    </Popover>
  );
}
