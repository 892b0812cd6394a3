import type { LtiCourse, LtiScore } from '@interview-prep/contracts/auth/lti';
import { Button, Modal, Text } from '@mantine/core';
import bordered from '../../../components/bordered-list.module.css';
import { failureOf, PartFailure } from '../../../components/load-failure.tsx';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { toast } from '../../../lib/toasts.ts';
import { DeliveryBadge, DeliveryFacts } from '../delivery-facts.tsx';
import rows from '../row-list.module.css';
import { useCourseScoresQuery, useResendScoreMutation } from './courses-api.ts';
import classes from './group-screen.module.css';

function ScoreRow({ courseId, score }: { courseId: string; score: LtiScore }) {
  const [resend, { isLoading }] = useResendScoreMutation();
  const send = async () => {
    const { error } = await resend({ id: courseId, scoreId: score.id });
    if (error) toast.error(errorMessage(error, 'Failed to send the score'));
    else toast.success('The score is being sent again');
  };
  return (
    <li className={`${rows.row} ${classes.row}`}>
      <div className={classes.who}>
        <Text component="div" fw={550}>
          {score.email} · {Math.round(score.score)}% <DeliveryBadge state={score.state} />
        </Text>
        {score.title && <Text size="sm">{score.title}</Text>}
        <DeliveryFacts {...score} />
      </div>
      <Button
        size="xs"
        variant="default"
        loading={isLoading}
        onClick={() => void send()}
        aria-label={`Send again: ${score.email}, ${score.title}`}
      >
        Send again
      </Button>
    </li>
  );
}

/** The newest scores sent to a course's gradebook. */
export function CourseScores({ course, onClose }: { course: LtiCourse; onClose: () => void }) {
  const query = useCourseScoresQuery(
    { id: course.id },
    { refetchOnMountOrArgChange: true, pollingInterval: 5000, skipPollingIfUnfocused: true },
  );
  const failure = failureOf([query, 'Failed to fetch the scores']);
  const { data } = query;
  return (
    <Modal opened onClose={onClose} size="lg" title={`Scores sent to “${course.title}”`}>
      {failure && <PartFailure {...failure} />}
      {data?.length === 0 && (
        <Text c="dimmed">
          Nothing has been sent yet. A score is sent once the member sees feedback and the activity has a grade.
        </Text>
      )}
      {data && data.length > 0 && (
        <ul className={bordered.list} aria-label="Scores">
          {data.map((score) => (
            <ScoreRow key={score.id} courseId={course.id} score={score} />
          ))}
        </ul>
      )}
    </Modal>
  );
}
