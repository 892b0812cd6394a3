import type { PracticeSet } from '@interview-prep/contracts/catalog/sets';
import { Anchor, Table } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPencil } from '@tabler/icons-react';
import { useId } from 'react';
import { MarkedText } from '../../../components/marked-text.tsx';
import { SetRow } from '../sets/set-table.tsx';
import { IconAction, useFocusBack } from '../use-focus-back.tsx';
import classes from './practice-sets-screen.module.css';

interface PracticeSetRowProps {
  set: PracticeSet;
  busy: boolean;
  /** Its edit has just ended: it takes the focus back. */
  justEdited: boolean;
  onEdit: () => void;
  onMove: () => void;
  onDelete: () => void;
}

/** A practice set, whose title unfolds its questions and answers. */
export function PracticeSetRow({ set, justEdited, onEdit, ...row }: PracticeSetRowProps) {
  const editButton = useFocusBack(justEdited);
  const [opened, { toggle }] = useDisclosure(false);
  const pairsId = useId();
  return (
    <>
      <SetRow
        {...row}
        set={set}
        head={
          <Anchor
            component="button"
            type="button"
            ta="start"
            fw={550}
            aria-expanded={opened}
            aria-controls={opened ? pairsId : undefined}
            aria-label={`Questions and answers of ${set.title}`}
            onClick={toggle}
          >
            {set.title}
          </Anchor>
        }
        action={
          <IconAction ref={editButton} aria-label={`Edit ${set.title}`} onClick={onEdit}>
            <IconPencil size={18} stroke={1.5} aria-hidden />
          </IconAction>
        }
      />
      {opened && (
        <Table.Tr id={pairsId}>
          <Table.Td colSpan={4}>
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
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}
