import { Anchor, Button, Group, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { MarkedText } from '../../../components/marked-text.tsx';
import { answerTrailOf } from '../../../lib/answer-trail.ts';
import classes from './answer-steps.module.css';

/** For who came from the answers of many people to one question: the way to the next of them, also by N and Shift+N. */
export function AnswerSteps() {
  const { pathname, hash, state } = useLocation();
  const navigate = useNavigate();
  const trail = answerTrailOf(state);
  const at = trail?.answers.findIndex(({ path }) => path === `${pathname}${hash}`) ?? -1;
  const step = (by: number) => {
    const next = trail?.answers[at + by];
    // The list stays one step back.
    if (at >= 0 && next) void navigate(next.path, { replace: true, state });
  };
  useHotkeys([
    ['n', () => step(1)],
    ['shift+N', () => step(-1)],
  ]);
  if (!trail || at < 0) return null;
  return (
    <aside className={classes.steps} aria-label="Answers to this question" data-no-print>
      <div className={classes.which}>
        <Text size="sm" fw={600} role="status">
          {trail.answers[at]?.name}: {at + 1} of {trail.answers.length}
        </Text>
        <Text size="xs" c="dimmed" lineClamp={1}>
          <MarkedText>{trail.question}</MarkedText>
        </Text>
      </div>
      <Group gap="xs" wrap="nowrap">
        <Anchor component={Link} to={trail.back} size="sm">
          All answers
        </Anchor>
        <Button size="xs" variant="default" disabled={at === 0} aria-keyshortcuts="Shift+N" onClick={() => step(-1)}>
          Previous (Shift N)
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={at === trail.answers.length - 1}
          aria-keyshortcuts="N"
          onClick={() => step(1)}
        >
          Next (N)
        </Button>
      </Group>
    </aside>
  );
}
