import { ActionIcon, type ActionIconProps } from '@mantine/core';
import type { ComponentProps } from 'react';
import classes from './icon-action.module.css';

type IconActionProps = ActionIconProps & Pick<ComponentProps<'button'>, 'ref' | 'onClick' | 'aria-label'>;

/** A row's quiet action; while it is disabled only its icon fades. */
export function IconAction(props: IconActionProps) {
  return <ActionIcon variant="subtle" color="gray" size="lg" className={classes.action ?? ''} {...props} />;
}
