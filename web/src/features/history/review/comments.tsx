import type { ReviewComment } from '@interview-prep/contracts/recording/verdict-review';
import { UnstyledButton } from '@mantine/core';
import type { Playback } from '../../../components/player/use-playback.ts';
import { minutesSeconds } from '../../../lib/formats.ts';
import classes from './review.module.css';

/** What a person says about moments of a recording; each moment plays from there. */
export function Comments({ comments, playback }: { comments: readonly ReviewComment[]; playback: Playback }) {
  if (comments.length === 0) return null;
  return (
    <ul className={classes.comments}>
      {comments.map(({ atMs, text }) => (
        <li key={`${atMs} ${text}`}>
          <UnstyledButton
            className={classes.moment ?? ''}
            disabled={playback.state.phase === 'failed'}
            aria-label={`Play from ${minutesSeconds(atMs / 1000)}`}
            onClick={() => playback.seek(atMs, true)}
          >
            {minutesSeconds(atMs / 1000)}
          </UnstyledButton>{' '}
          {text}
        </li>
      ))}
    </ul>
  );
}
