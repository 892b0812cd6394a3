import type { InterviewSet } from '@interview-prep/contracts/catalog/sets';
import { Button, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { SetCard } from '../../components/set-card.tsx';
import { TimeAgo } from '../../components/times.tsx';
import type { LastTaken } from '../../lib/api/progress-api.ts';
import { resumeLabel } from '../../lib/formats.ts';
import { paths } from '../../lib/paths.ts';

/** Source: product specification, section 9, fixed displayed rating. */
const rating = '4.5';

interface InterviewSetCardProps {
  set: InterviewSet;
  /** Shows 'Edit' to admins. */
  editable: boolean;
  lastTaken: LastTaken | undefined;
}

export function InterviewSetCard({ set, editable, lastTaken }: InterviewSetCardProps) {
  return (
    <SetCard
      set={set}
      fact={
        <span role="img" aria-label={`Rated ${rating} out of 5`}>
          ★ {rating}
        </span>
      }
      note={
        lastTaken && (
          <Text size="xs" mt={-8}>
            Last taken <TimeAgo at={lastTaken.at} />
            {lastTaken.average !== null && `, ${Math.round(lastTaken.average)}%`}
            {lastTaken.reviewedCount > 0 && ` · ${lastTaken.reviewedCount} scored by a reviewer`}
          </Text>
        )
      }
      actions={
        <>
          <Button component={Link} to={paths.interview(set._id)} aria-label={`Take Interview: ${set.title}`}>
            Take Interview
          </Button>
          {lastTaken && lastTaken.answeredCount < lastTaken.questionCount && (
            <Button
              component={Link}
              to={paths.interview(set._id, { continue: lastTaken.interviewId })}
              variant="light"
              flex="1 0 auto"
              aria-label={`${resumeLabel(lastTaken.answeredCount, lastTaken.questionCount)}: ${set.title}`}
            >
              {resumeLabel(lastTaken.answeredCount, lastTaken.questionCount)}
            </Button>
          )}
          {editable && (
            <Button component={Link} to={paths.editSet(set._id)} variant="default" aria-label={`Edit: ${set.title}`}>
              Edit
            </Button>
          )}
        </>
      }
    />
  );
}
