import type { Technology } from '@interview-prep/contracts/technologies';
import { Stack } from '@mantine/core';
import { IconTags } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { failureOf } from '../../../components/failed-loads.ts';
import { LeaveGuard } from '../../../components/leave-guard.tsx';
import { ListToolbar } from '../../../components/list-toolbar.tsx';
import { LoadFailure } from '../../../components/load-failure.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Pager } from '../../../components/pager.tsx';
import { PartFailure } from '../../../components/part-failure.tsx';
import { Screen } from '../../../components/screen.tsx';
import { useListPage } from '../../../components/use-list-page.ts';
import { useListTechnologiesQuery } from '../../../lib/api/sets-api.ts';
import { fallbacks, messages } from '../../../lib/messages.ts';
import { BusyFieldset } from '../busy-fieldset.tsx';
import { ListSkeleton } from '../list-skeleton.tsx';
import { NoMatch } from '../no-match.tsx';
import { useDeletion } from '../use-deletion.ts';
import { AddTechnologyForm } from './add-technology-form.tsx';
import { DeleteTechnologyDialog } from './delete-technology-dialog.tsx';
import { FirstSetHint } from './first-set-hint.tsx';
import { useDeleteTechnologyMutation } from './technology-changes-api.ts';
import { type TechnologyEdit, TechnologyList } from './technology-list.tsx';
import { useTechnologyChanges } from './use-technology-changes.ts';
import { useTechnologyUse } from './use-technology-use.ts';

const pageSize = 20;
const none: readonly Technology[] = [];

/** Source: product specification, sections 2 (Manage Technologies), 4 (technology manager) and 5. */
export default function TechnologiesScreen() {
  const query = useListTechnologiesQuery();
  const use = useTechnologyUse();
  const changes = useTechnologyChanges(query.refetch);
  const [remove] = useDeleteTechnologyMutation();
  const [newName, setNewName] = useState('');
  const [edit, setEdit] = useState<TechnologyEdit | null>(null);
  const addField = useRef<HTMLInputElement>(null);
  const technologies = query.data ?? none;
  const list = useListPage(technologies, ({ name, slug }) => `${name} ${slug}`, pageSize);
  const deletion = useDeletion<Technology>({
    remove: ({ id }) => remove({ id }),
    refetch: query.refetch,
    done: messages.technologies.deleted,
    failed: fallbacks.deleteTechnology,
    onDeleted: ({ id }) => {
      if (edit?.technology.id === id) setEdit(null);
      addField.current?.focus();
    },
  });

  const screen = {
    title: 'Manage Technologies',
    lead: 'Interview sets and practice sets are grouped by technology.',
    width: 'form',
  } as const;
  const failure = failureOf([query, fallbacks.fetchTechnologies]);
  if (!query.data) {
    return (
      <Screen {...screen}>
        {failure ? <LoadFailure {...failure} /> : <ListSkeleton label="Loading technologies…" />}
      </Screen>
    );
  }

  const partFailure = failure ?? use.failure;
  const unsaved = newName.trim() !== '' || (edit !== null && edit.name !== edit.technology.name);
  return (
    <Screen {...screen}>
      <BusyFieldset busy={changes.busy || deletion.busy}>
        <Stack gap="lg">
          <AddTechnologyForm
            field={addField}
            name={newName}
            onChange={setNewName}
            technologies={technologies}
            onAdd={changes.add}
          />
          {technologies.length === 0 ? (
            <Notice icon={<IconTags size={32} stroke={1.5} />} title={messages.technologies.none}>
              Add the first one above. Then you can write an interview set for it.
            </Notice>
          ) : (
            <>
              {use.hasNoInterviewSets && <FirstSetHint />}
              <ListToolbar list={list} nouns={['technology', 'technologies']} />
              {partFailure && <PartFailure {...partFailure} />}
              {list.found === 0 ? (
                <NoMatch list={list} says="No technology matches" />
              ) : (
                <TechnologyList
                  shown={list.items}
                  technologies={technologies}
                  edit={edit}
                  setEdit={setEdit}
                  setsUsing={use.setsUsing}
                  onRename={changes.rename}
                  onDelete={deletion.ask}
                />
              )}
              <Pager {...list} />
            </>
          )}
        </Stack>
      </BusyFieldset>
      <DeleteTechnologyDialog deletion={deletion} use={use} />
      <LeaveGuard when={unsaved} />
    </Screen>
  );
}
