import type { AnswerKind, ChosenAnswers, QueuedAnswer } from '@interview-prep/contracts/recording/queues';
import type { Stage } from '@interview-prep/contracts/recording/recordings';
import { Anchor, Button, Group, Text } from '@mantine/core';
import { IconChevronDown, IconRefresh, IconX } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { failureOf, PartFailure } from '../../../components/load-failure.tsx';
import { TimeAgo } from '../../../components/times.tsx';
import { countOf, timeAgo } from '../../../lib/formats.ts';
import { unknowns } from '../../../lib/messages.ts';
import { sessionPath } from '../../../lib/paths.ts';
import rows from '../row-list.module.css';
import { IconAction } from '../use-deletion.tsx';
import { useQueuedAnswersQuery } from './queues-api.ts';
import classes from './queues-screen.module.css';

export const stageNames: Record<Stage, string> = {
  media: 'Media',
  transcription: 'Transcription',
  assessment: 'Scoring',
};

const stateNames: Record<QueuedAnswer['state'], string> = {
  waiting: 'Waiting',
  active: 'In progress',
  paused: 'Paused',
  failed: 'Failed',
};

/** The confirmation text before answers are given up. */
export interface GiveUpQuestion {
  chosen: ChosenAnswers;
  /** `12 answers`. */
  answers: string;
  failed: boolean;
}

interface Actions {
  busy: boolean;
  onRetry: (chosen: ChosenAnswers) => void;
  onGiveUp: (question: GiveUpQuestion) => void;
}

/** Answers that failed for the same reason or are in the same stage, as a group that can be expanded. */
export function AnswerKindRow({
  kind,
  count,
  newestAt,
  ...actions
}: { kind: AnswerKind; count: number; newestAt: string | null } & Actions) {
  const [isOpen, setOpen] = useState(false);
  const list = useId();
  const { stage, reason } = kind;
  const name = reason ?? `${stageNames[stage]}: not finished`;
  const failed = reason !== undefined;
  return (
    <li className={`${rows.row} ${classes.kind}`}>
      <div className={classes.what}>
        <Text fw={550}>{name}</Text>
        <Text size="sm" c="dimmed">
          {failed && `${stageNames[stage]} · `}
          {countOf(count, 'answer')}
          {newestAt && (
            <>
              {' · newest '}
              <TimeAgo at={newestAt} />
            </>
          )}
        </Text>
      </div>
      <Group gap="xs" align="stretch">
        <Button
          variant="subtle"
          size="compact-sm"
          aria-expanded={isOpen}
          aria-controls={list}
          rightSection={<IconChevronDown size={16} className={isOpen ? classes.up : ''} aria-hidden />}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Hide answers' : 'Show answers'}
        </Button>
        <Button
          variant="default"
          size="compact-sm"
          disabled={actions.busy}
          aria-label={`Try again: ${name}`}
          onClick={() => actions.onRetry(kind)}
        >
          Try again
        </Button>
        <Button
          variant="light"
          color="red"
          size="compact-sm"
          disabled={actions.busy}
          aria-label={`Give up: ${name}`}
          onClick={() => actions.onGiveUp({ chosen: kind, answers: countOf(count, 'answer'), failed })}
        >
          Give up
        </Button>
      </Group>
      <div id={list} className={classes.answers}>
        {isOpen && <Answers kind={kind} {...actions} />}
      </div>
    </li>
  );
}

function Answers({ kind, busy, onRetry, onGiveUp }: { kind: AnswerKind } & Actions) {
  const query = useQueuedAnswersQuery(kind, { refetchOnMountOrArgChange: true, pollingInterval: 10_000 });
  const failure = failureOf([query, 'Failed to load the answers']);
  if (failure && !query.data) return <PartFailure {...failure} />;
  if (!query.data) return <Text size="sm">Loading…</Text>;
  return (
    <ul className={classes.list}>
      {query.data.map((answer) => (
        <Group key={answer.recordingId} component="li" gap={4} wrap="nowrap" py={6} px={0}>
          <div className={classes.what}>
            <Anchor component={Link} to={sessionPath(answer.kind, answer.sessionId)} size="sm">
              {answer.title}, question {answer.questionId + 1}
            </Anchor>
            <Text size="sm" c="dimmed">
              {answer.email ?? unknowns.email} · {stateNames[answer.state]} · answered{' '}
              <TimeAgo at={answer.answeredAt} />
              {answer.nextTryAt && ` · next try ${timeAgo(answer.nextTryAt)}`}
            </Text>
          </div>
          <IconAction
            disabled={busy}
            aria-label={`Try again: ${labelOf(answer)}`}
            onClick={() => onRetry({ stage: kind.stage, recordingId: answer.recordingId })}
          >
            <IconRefresh size={18} stroke={1.5} aria-hidden />
          </IconAction>
          <IconAction
            color="red"
            disabled={busy}
            aria-label={`Give up: ${labelOf(answer)}`}
            onClick={() =>
              onGiveUp({
                chosen: { stage: kind.stage, recordingId: answer.recordingId },
                answers: '1 answer',
                failed: answer.state === 'failed',
              })
            }
          >
            <IconX size={18} stroke={1.5} aria-hidden />
          </IconAction>
        </Group>
      ))}
    </ul>
  );
}

const labelOf = ({ title, questionId, email }: QueuedAnswer) =>
  `${title}, question ${questionId + 1}, ${email ?? unknowns.email}`;
