import { ActionIcon, type ActionIconProps } from '@mantine/core';
import { type ComponentProps, type RefObject, useEffect, useRef, useState } from 'react';
import classes from './icon-action.module.css';

type IconActionProps = ActionIconProps & Pick<ComponentProps<'button'>, 'ref' | 'onClick' | 'aria-label'>;

/** A row's secondary action; only its icon fades while it is disabled. */
export function IconAction(props: IconActionProps) {
  return <ActionIcon variant="subtle" color="gray" size="lg" className={classes.action ?? ''} {...props} />;
}

/**
 * The id whose edit has just ended, for one render only, since later renders must not move the focus.
 */
export function useJustEdited(): [id: string | null, setId: (id: string | null) => void] {
  const [id, setId] = useState<string | null>(null);
  useEffect(() => {
    // The effects of the rows (children) have already run.
    if (id !== null) setId(null);
  }, [id]);
  return [id, setId];
}

/** Returns the focus to the Edit button after an edit. */
export function useFocusBack(justEdited: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (justEdited) button.current?.focus();
  }, [justEdited]);
  return button;
}
