import type { AnswerKind, ChosenAnswers, OtherQueue, StageQueue } from '@interview-prep/contracts/recording/queues';
import { Box, Table, Text, Title } from '@mantine/core';
import { IconStack2 } from '@tabler/icons-react';
import bordered from '../../../components/bordered-list.module.css';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { failureOf, LoadFailure, PartFailure } from '../../../components/load-failure.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Screen } from '../../../components/screen.tsx';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { countOf, timeAgo } from '../../../lib/formats.ts';
import { toast } from '../../../lib/toasts.ts';
import { ListSkeleton } from '../list-skeleton.tsx';
import { type Confirmation, useConfirm, useInFlight } from '../use-deletion.tsx';
import { AnswerKindRow, type GiveUpQuestion, stageNames } from './answer-kind-row.tsx';
import { useGiveUpAnswersMutation, useQueuesQuery, useRetryAnswersMutation } from './queues-api.ts';
import classes from './queues-screen.module.css';

const otherNames: Record<OtherQueue['queue'], string> = {
  ahead: 'Transcription while speaking',
  trials: 'Trials of points',
  recording: 'Changes of sets and users',
};

/** Waiting, active and failed answers in the processing queues; admins can retry them or give up. */
export default function QueuesScreen() {
  const query = useQueuesQuery(undefined, { refetchOnMountOrArgChange: true, pollingInterval: 10_000 });
  const [retryAnswers] = useRetryAnswersMutation();
  const [giveUpAnswers] = useGiveUpAnswersMutation();
  const question = useConfirm<GiveUpQuestion>();
  const [busy, run] = useInFlight();
  const failure = failureOf([query, 'Failed to load the queues']);
  const { data } = query;

  const finish = async (call: Promise<{ changed: number; left: number }>, done: string, failed: string) => {
    try {
      const { changed, left } = await call;
      if (changed > 0) toast.success(`${countOf(changed, 'answer')} ${done}${left > 0 ? `, ${left} left` : ''}`);
      else toast.error('Nothing to do: the media of these answers was deleted, or they have changed since.');
    } catch (error) {
      toast.error(errorMessage(error, failed));
    }
  };
  const retry = (chosen: ChosenAnswers) =>
    void run(() => finish(retryAnswers(chosen).unwrap(), 'queued again', 'Failed to try the answers again'));
  const giveUp = ({ chosen }: GiveUpQuestion) =>
    void run(async () => {
      await finish(giveUpAnswers(chosen).unwrap(), 'given up', 'Failed to give the answers up');
      question.close();
    });

  const pending = data?.stages.filter(({ waiting, active, paused }) => waiting + active + paused > 0) ?? [];
  const kinds: { kind: AnswerKind; count: number; newestAt: string | null }[] = data
    ? [
        ...data.failures.map(({ stage, reason, count, newestAt }) => ({ kind: { stage, reason }, count, newestAt })),
        ...pending.map(({ stage, waiting, active, paused }) => ({
          kind: { stage },
          count: waiting + active + paused,
          newestAt: null,
        })),
      ]
    : [];

  return (
    <Screen title="Queues" lead="Answers on their way to a transcript and a score.">
      {!data && (failure ? <LoadFailure {...failure} /> : <ListSkeleton label="Loading the queues…" />)}
      {data && failure && <PartFailure {...failure} />}
      {data && <QueueTable stages={data.stages} others={data.others} />}
      {data && kinds.length === 0 && (
        <Box mt="lg">
          <Notice icon={<IconStack2 size={32} stroke={1.5} />} title="Everything is done">
            Answers that are being processed, and those that failed, appear here.
          </Notice>
        </Box>
      )}
      {kinds.length > 0 && (
        <>
          <Title order={2} size="h3" mt="xl" mb="sm">
            Failed and unfinished answers
          </Title>
          <ul className={bordered.list}>
            {kinds.map(({ kind, ...facts }) => (
              <AnswerKindRow
                key={`${kind.stage} ${kind.reason}`}
                kind={kind}
                {...facts}
                busy={busy}
                onRetry={retry}
                onGiveUp={question.ask}
              />
            ))}
          </ul>
        </>
      )}
      <GiveUpDialog question={question} busy={busy} onConfirm={giveUp} />
    </Screen>
  );
}

function GiveUpDialog({
  question,
  busy,
  onConfirm,
}: {
  question: Confirmation<GiveUpQuestion>;
  busy: boolean;
  onConfirm: (about: GiveUpQuestion) => void;
}) {
  const { about } = question;
  return (
    <ConfirmDialog
      opened={question.opened}
      title={`Give up ${about?.answers}?`}
      confirmLabel="Give up"
      busy={busy}
      onConfirm={() => about && onConfirm(about)}
      onCancel={question.close}
    >
      {about?.failed
        ? 'Failed answers stay failed and leave this list. Candidates can still process them again.'
        : 'Processing ends as failed, and candidates see that an admin ended it. They can process their answers again.'}
    </ConfirmDialog>
  );
}

function QueueTable({ stages, others }: { stages: readonly StageQueue[]; others: readonly OtherQueue[] }) {
  const columns = ['Waiting', 'In progress', 'Paused', 'Failed', 'Oldest'];
  return (
    <Table.ScrollContainer minWidth={340} type="native" tabIndex={0} role="region" aria-label="Queues">
      <Table verticalSpacing="xs" className={classes.table ?? ''}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Queue</Table.Th>
            {columns.map((column) => (
              <Table.Th key={column} ta="right" className={classes.column}>
                {column}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody className="tabular">
          {stages.map(({ stage, waiting, active, paused, failed, oldestAt }) => (
            <QueueRow
              key={stage}
              name={stageNames[stage]}
              figures={[waiting, active, paused, failed, oldestAt ? timeAgo(oldestAt) : '–']}
            />
          ))}
          {others.map(({ queue, waiting, active, retrying, reason }) => (
            <QueueRow
              key={queue}
              name={otherNames[queue]}
              reason={reason}
              figures={[waiting, active, retrying, '–', '–']}
            />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function QueueRow({
  name,
  reason = null,
  figures,
}: {
  name: string;
  reason?: string | null;
  figures: readonly (number | string)[];
}) {
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={550}>
        {name}
        {reason !== null && (
          <Text size="sm" c="dimmed" className={classes.reason}>
            {reason}
          </Text>
        )}
      </Table.Th>
      {figures.map((figure, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns are fixed
        <Table.Td key={column} ta="right" {...(figure === 0 || figure === '–' ? { c: 'dimmed' } : {})}>
          {figure}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}
