import type { ReviewItem, ReviewQueueQuery } from '@interview-prep/contracts/recording/reviews';
import { Anchor, Box, Stack, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { MarkedText } from '../../../components/marked-text.tsx';
import { TimeAgo } from '../../../components/times.tsx';
import { countOf } from '../../../lib/formats.ts';
import { unknowns } from '../../../lib/messages.ts';
import classes from './appeals.module.css';
import { toReview } from './review-queue.ts';

const percent = (value: number | null) => (value === null ? 'not scored' : `${Math.round(value)}%`);

interface QueueRowsProps {
  items: readonly ReviewItem[];
  /** The queue filter that the row is opened with. */
  filter: ReviewQueueQuery;
  /** Maps a group's id to its name. */
  groupNames: ReadonlyMap<string, string>;
}

/** Answers waiting for a review, or already reviewed. */
export function QueueRows({ items, filter, groupNames }: QueueRowsProps) {
  const isWaiting = filter.state === 'waiting';
  return (
    <ul className={classes.rows} aria-label={isWaiting ? 'Waiting answers' : 'Reviewed answers'}>
      {items.map((item) => {
        const { to, state } = toReview(item, filter);
        const group = groupNames.get(item.groupId ?? '');
        return (
          <li key={item.recordingId} className={classes.row}>
            <Stack gap={2} flex="1 1 320px" miw={0}>
              <Anchor component={Link} to={to} state={isWaiting ? state : null} inherit fw={600}>
                <MarkedText>{item.question}</MarkedText>
              </Anchor>
              {item.reason !== '' &&
                (item.automatic ? (
                  <Text span size="sm">
                    {item.reason}
                  </Text>
                ) : (
                  <Box component="q" fz="sm">
                    {item.reason}
                  </Box>
                ))}
              <Text span c="dimmed" size="xs">
                {item.title} · {group && `${group} · `}
                {item.email ?? unknowns.email} · <TimeAgo at={item.createdAt} />
                {item.reviewed && (
                  <>
                    {' '}
                    · reviewed by {item.reviewed.email ?? unknowns.email} <TimeAgo at={item.reviewed.at} />
                  </>
                )}
              </Text>
            </Stack>
            <Text span size="sm" className="tabular">
              {item.cause === 'appeal' ? 'Appeal · judge' : 'Judge'} {percent(item.machinePercentage)}
              {item.unsurePoints > 0 && ` · ${countOf(item.unsurePoints, 'unsure point')}`}
              {item.reviewPercentage !== null && ` · reviewer ${percent(item.reviewPercentage)}`}
            </Text>
          </li>
        );
      })}
    </ul>
  );
}
