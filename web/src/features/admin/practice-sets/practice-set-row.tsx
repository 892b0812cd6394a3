import type { PracticeSet } from '@interview-prep/contracts/catalog/sets';
import { Badge, Button, Collapse, Group, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useId } from 'react';
import { MarkedText } from '../../../components/marked-text.tsx';
import { countOf } from '../../../lib/count-of.ts';
import { statusNames } from '../sets/set-fields.tsx';
import { useFocusBack } from '../use-focus-back.tsx';
import classes from './practice-sets-screen.module.css';

interface PracticeSetRowProps {
  set: PracticeSet;
  /** Its edit has just ended: it takes the focus back. */
  justEdited: boolean;
  onEdit: () => void;
  onDelete: () => void;
}

/** A practice set with its questions on demand, Edit and Delete. */
export function PracticeSetRow({ set, justEdited, onEdit, onDelete }: PracticeSetRowProps) {
  const editButton = useFocusBack(justEdited);
  const [opened, { toggle }] = useDisclosure(false);
  const pairsId = useId();
  return (
    <li className={classes.set}>
      <Title order={3}>{set.title}</Title>
      <Text size="sm" c="dimmed">
        {set.technology} · {countOf(set.questions.length, 'question')}
        {set.status !== 'published' && ` · ${statusNames[set.status]}`}
      </Text>
      {set.tags.length > 0 && (
        <ul className={classes.tags} aria-label="Tags">
          {set.tags.map((tag) => (
            <Badge key={tag} component="li" variant="default" tt="none" fw={500}>
              {tag}
            </Badge>
          ))}
        </ul>
      )}
      <Group justify="space-between" gap="xs" mt={4}>
        <Button
          variant="subtle"
          size="compact-sm"
          className={classes.toggle ?? ''}
          aria-expanded={opened}
          aria-controls={pairsId}
          aria-label={`Questions and answers of ${set.title}`}
          leftSection={opened ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
          onClick={toggle}
        >
          Questions and answers
        </Button>
        <Group gap="xs">
          <Button ref={editButton} variant="default" size="xs" onClick={onEdit} aria-label={`Edit ${set.title}`}>
            Edit
          </Button>
          <Button variant="light" color="red" size="xs" onClick={onDelete} aria-label={`Delete ${set.title}`}>
            Delete
          </Button>
        </Group>
      </Group>
      <Collapse expanded={opened} id={pairsId}>
        <ol className={classes.pairs}>
          {set.questions.map((question, index) => {
            // Questions may repeat, so the index is the key.
            const key = `${index}`;
            return (
              <li key={key}>
                <strong>
                  <MarkedText>{question}</MarkedText>
                </strong>
                <MarkedText>{set.answers[index] ?? ''}</MarkedText>
              </li>
            );
          })}
        </ol>
      </Collapse>
    </li>
  );
}
