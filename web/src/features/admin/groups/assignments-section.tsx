import type { GroupDetail } from '@interview-prep/contracts/auth/groups';
import { Anchor, Badge, Button, Group as Row, Stack, Text, Title } from '@mantine/core';
import { IconClipboardList, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import bordered from '../../../components/bordered-list.module.css';
import { failureOf, PartFailure } from '../../../components/load-failure.tsx';
import { Notice } from '../../../components/notice.tsx';
import { DueDate } from '../../../components/times.tsx';
import { useListAssignmentsQuery } from '../../../lib/api/assignments-api.ts';
import { paths } from '../../../lib/paths.ts';
import rows from '../row-list.module.css';
import { AssignmentDialog } from './assignment-dialog.tsx';
import classes from './group-screen.module.css';

/** The group's assignments; each links to its roster. */
export function AssignmentsSection({ group }: { group: GroupDetail }) {
  const query = useListAssignmentsQuery({ groupId: group.id }, { refetchOnMountOrArgChange: true });
  const [assigning, setAssigning] = useState(false);
  const failure = failureOf([query, 'Failed to fetch assigned work']);
  const { data } = query;
  const isArchived = group.archivedAt !== null;
  const button = !isArchived && (
    <Button size="xs" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAssigning(true)}>
      Assign work
    </Button>
  );
  return (
    <Stack component="section" gap="sm" aria-labelledby="assignments">
      <Row justify="space-between">
        <Title order={2} size="h3" id="assignments">
          Assignments
        </Title>
        {data && data.length > 0 && (
          <Row gap="xs">
            <Button size="xs" variant="default" component={Link} to={`${paths.appeals}#group=${group.id}`}>
              Answers to review
            </Button>
            {button}
          </Row>
        )}
      </Row>
      {failure && <PartFailure {...failure} />}
      {data?.length === 0 && (
        <Notice icon={<IconClipboardList size={32} stroke={1.5} />} title="Nothing assigned yet" action={button}>
          Choose sets, a due date and when feedback is shown.
        </Notice>
      )}
      {data && data.length > 0 && (
        <ul className={bordered.list} aria-label="Assignments">
          {data.map(({ id, title, sets, dueAt, feedback, releasedAt }) => (
            <li key={id} className={`${rows.row} ${classes.row}`}>
              <div className={classes.who}>
                <Anchor component={Link} to={paths.roster(group.id, id)} fw={550}>
                  {title}
                </Anchor>
                <Text size="sm" c="dimmed">
                  {sets.map((set) => set.title).join(', ')}
                </Text>
              </div>
              {feedback === 'release' && releasedAt === null && (
                <Badge variant="light" color="orange" tt="none" fw={500}>
                  Feedback not released
                </Badge>
              )}
              <Text size="sm">
                <DueDate at={dueAt} />
              </Text>
            </li>
          ))}
        </ul>
      )}
      {assigning && <AssignmentDialog group={group} onClose={() => setAssigning(false)} />}
    </Stack>
  );
}
