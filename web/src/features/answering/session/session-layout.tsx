import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { ProgressDots, type ProgressDotsProps } from './progress-dots.tsx';
import classes from './session-layout.module.css';

interface SessionLayoutProps extends ProgressDotsProps {
  /** Sets the width, and may set `--controls-gap` and, for phones, `--controls-padding`. */
  className: string;
  setTitle: string;
  /** Where Leave leads. */
  leaveTo: string;
  children: ReactNode;
  /** Above the controls. */
  notices: ReactNode;
  /** Always in sight, at the foot. */
  controls: ReactNode;
}

/** The frame of a session: set, progress and Leave on top, the question below, the controls at the foot. */
export function SessionLayout({
  className,
  setTitle,
  leaveTo,
  children,
  notices,
  controls,
  ...progress
}: SessionLayoutProps) {
  return (
    <div className={`${classes.layout} ${className}`}>
      <div className={classes.top}>
        <div>
          <p className={classes.set}>{setTitle}</p>
          <ProgressDots {...progress} />
        </div>
        <Button component={Link} to={leaveTo} variant="default" size="xs">
          Leave
        </Button>
      </div>
      {children}
      <div className={classes.bottom}>
        {notices}
        <div className={classes.controls}>{controls}</div>
      </div>
    </div>
  );
}
