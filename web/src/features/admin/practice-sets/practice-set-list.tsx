import type { NewPracticeSet, PracticeSet } from '@interview-prep/contracts/catalog/sets';
import type { Technology } from '@interview-prep/contracts/catalog/technologies';
import { IconVideo } from '@tabler/icons-react';
import { ListToolbar } from '../../../components/list-toolbar.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Pager } from '../../../components/pager.tsx';
import { useListPage } from '../../../components/use-list-page.ts';
import type { ApiError } from '../../../lib/api/api-error.ts';
import { NoMatch } from '../list-skeleton.tsx';
import { PracticeSetForm } from './practice-set-form.tsx';
import { PracticeSetRow } from './practice-set-row.tsx';
import classes from './practice-sets-screen.module.css';
import type { PracticeSetEdit } from './use-practice-set-edit.ts';

const pageSize = 10;

interface PracticeSetListProps {
  sets: readonly PracticeSet[];
  technologies: readonly Technology[];
  edit: PracticeSetEdit | null;
  setEdit: (edit: PracticeSetEdit) => void;
  /** The set whose edit has just ended: the row takes the focus back. */
  justEditedId: string | null;
  onEdit: (set: PracticeSet) => void;
  onSave: (id: string, body: NewPracticeSet) => Promise<ApiError | undefined>;
  onEndEdit: () => void;
  onDelete: (set: PracticeSet) => void;
}

/** Every practice set, searched and paged; one of them may be under edit. */
export function PracticeSetList(props: PracticeSetListProps) {
  const { sets, technologies, edit, setEdit, justEditedId, onEdit, onSave, onEndEdit, onDelete } = props;
  const list = useListPage(sets, ({ title, technology, tags }) => [title, technology, ...tags].join(' '), pageSize);
  return (
    <>
      <ListToolbar list={list} nouns={['practice set', 'practice sets']} />
      {list.total === 0 && (
        <Notice icon={<IconVideo size={32} stroke={1.5} />} title="No practice sets added yet">
          Use the form to add the first one: a title, a technology, and a question with its answer.
        </Notice>
      )}
      {list.total > 0 && list.found === 0 && <NoMatch list={list} says="No practice set matches" />}
      {list.found > 0 && (
        <ul className={classes.list}>
          {list.items.map((set) =>
            edit?.id === set._id ? (
              <li key={set._id} className={classes.set} data-edited>
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
              </li>
            ) : (
              <PracticeSetRow
                key={set._id}
                set={set}
                justEdited={justEditedId === set._id}
                onEdit={() => onEdit(set)}
                onDelete={() => onDelete(set)}
              />
            ),
          )}
        </ul>
      )}
      <Pager {...list} />
    </>
  );
}
