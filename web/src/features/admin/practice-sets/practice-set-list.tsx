import type { NewPracticeSet, PracticeSet } from '@interview-prep/contracts/catalog/sets';
import type { Technology } from '@interview-prep/contracts/catalog/technologies';
import { Anchor, Table } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPencil, IconVideo } from '@tabler/icons-react';
import { useId } from 'react';
import { ListToolbar, Pager, useListPage } from '../../../components/list-page.tsx';
import { MarkedText } from '../../../components/marked-text.tsx';
import { Notice } from '../../../components/notice.tsx';
import type { ApiError } from '../../../lib/api/api-error.ts';
import { NoMatch } from '../list-skeleton.tsx';
import { SetRow, SetTable, searchedText, useStatusFilter } from '../sets/set-table.tsx';
import { IconAction, useFocusBack } from '../use-deletion.tsx';
import { PracticeSetForm } from './practice-set-form.tsx';
import classes from './practice-sets-screen.module.css';
import type { PracticeSetEdit } from './use-practice-set-edit.ts';

interface PracticeSetRowProps {
  set: PracticeSet;
  busy: boolean;
  /** Whether its edit has just ended, so that it takes the focus back. */
  justEdited: boolean;
  onEdit: () => void;
  onMove: () => void;
  onDelete: () => void;
}

const pageSize = 20;

interface PracticeSetListProps {
  sets: readonly PracticeSet[];
  technologies: readonly Technology[];
  edit: PracticeSetEdit | null;
  setEdit: (edit: PracticeSetEdit) => void;
  /** Whether a status change is in flight. */
  busy: boolean;
  /** The set whose edit has just ended: the row takes the focus back. */
  justEditedId: string | null;
  onEdit: (set: PracticeSet) => void;
  onSave: (id: string, body: NewPracticeSet) => Promise<ApiError | undefined>;
  onEndEdit: () => void;
  onMove: (set: PracticeSet) => void;
  onDelete: (set: PracticeSet) => void;
}

/** All practice sets, with search and paging; one of them may be in edit mode. */
export function PracticeSetList(props: PracticeSetListProps) {
  const { sets, technologies, edit, setEdit, busy, justEditedId, onEdit, onSave, onEndEdit, onMove, onDelete } = props;
  const filter = useStatusFilter(sets);
  const list = useListPage(filter.shown, searchedText, pageSize);
  return (
    <>
      {filter.control}
      <ListToolbar list={list} nouns={['practice set', 'practice sets']} />
      {sets.length > 0 && list.total === 0 && (
        <Notice icon={<IconVideo size={32} stroke={1.5} />} title="No practice sets here" />
      )}
      {sets.length === 0 && (
        <Notice icon={<IconVideo size={32} stroke={1.5} />} title="No practice sets added yet">
          Use the form to add the first one: a title, a technology, and a question with its answer.
        </Notice>
      )}
      {list.total > 0 && list.found === 0 && <NoMatch list={list} says="No practice set matches" />}
      {list.found > 0 && (
        <SetTable>
          {list.items.map((set) =>
            edit?.id === set._id ? (
              <Table.Tr key={set._id} className={classes.edited ?? ''}>
                <Table.Td colSpan={4} p="md">
                  <PracticeSetForm
                    label={`Edit ${edit.title}`}
                    submitLabel="Save"
                    technologies={technologies}
                    draft={edit.draft}
                    focused
                    onChange={(draft) => setEdit({ ...edit, draft })}
                    onSave={(body) => onSave(set._id, body)}
                    onCancel={onEndEdit}
                  />
                </Table.Td>
              </Table.Tr>
            ) : (
              <PracticeSetRow
                key={set._id}
                set={set}
                busy={busy}
                justEdited={justEditedId === set._id}
                onEdit={() => onEdit(set)}
                onMove={() => onMove(set)}
                onDelete={() => onDelete(set)}
              />
            ),
          )}
        </SetTable>
      )}
      <Pager {...list} />
    </>
  );
}

/** A practice set whose title expands to its questions and answers. */
function PracticeSetRow({ set, justEdited, onEdit, ...row }: PracticeSetRowProps) {
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
