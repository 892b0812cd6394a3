import type { SessionKind } from '@interview-prep/contracts/recordings';
import { Button, CloseButton, SegmentedControl, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconMicrophone, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { Notice } from '../../../components/notice.tsx';
import { Screen } from '../../../components/screen.tsx';
import { selectUser } from '../../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../../lib/state/state-hooks.ts';
import { useAddressFields } from '../../../lib/use-address-fields.ts';
import { sessionKinds } from '../session-kinds.ts';
import { FinishedInterview } from './finished-interview.tsx';
import classes from './history-screen.module.css';
import { SessionGroups } from './session-groups.tsx';
import { SessionLines } from './session-lines.tsx';
import { type ViewMode, viewModeOf, viewModes } from './view-mode.ts';

/** Debounce of the search. */
const searchDelayMs = 300;

/** The id of the interview that the recorder has just finished; '' if none. */
function finishedOf(state: unknown): string {
  const { finished } = (state ?? {}) as { finished?: unknown };
  return typeof finished === 'string' ? finished : '';
}

/** The history of interviews or of practice sessions. View mode, search and open groups are in the address. */
export function HistoryScreen({ kind }: { kind: SessionKind }) {
  const { heading, none, next } = sessionKinds[kind];
  const role = useAppSelector(selectUser)?.role ?? 'others';
  const finished = finishedOf(useLocation().state);
  const [params, change] = useAddressFields();
  const mode = viewModeOf(params.get('view'), role);
  const email = params.get('email') ?? '';
  const [typed, setTyped] = useState(email);
  const [searched, setSearched] = useState(email);
  // The address changed (Back, a link): update the field.
  if (searched !== email) {
    setSearched(email);
    if (typed.trim() !== email) setTyped(email);
  }

  const searchFor = (text: string) =>
    change((changed) => (text.trim() === '' ? changed.delete('email') : changed.set('email', text.trim())));
  const search = useDebouncedCallback(searchFor, searchDelayMs);
  const clear = () => {
    setTyped('');
    searchFor('');
  };
  const show = (view: ViewMode) =>
    change((changed) => {
      changed.delete('open');
      if (view === 'all') changed.delete('view');
      else changed.set('view', view);
    });
  const open = params.getAll('open');
  const toggle = (key: string) =>
    change((changed) => {
      changed.delete('open');
      const others = open.filter((each) => each !== key);
      for (const each of open.includes(key) ? others : [...others, key]) changed.append('open', each);
    });

  const empty =
    email === '' ? (
      <Notice
        icon={<IconMicrophone size={32} stroke={1.5} />}
        title={none}
        action={
          <Button component={Link} to={next.path}>
            {next.label}
          </Button>
        }
      >
        Your recordings appear here with their transcriptions.
      </Notice>
    ) : (
      <Notice
        icon={<IconSearch size={32} stroke={1.5} />}
        title={none}
        action={
          <Button variant="default" onClick={clear}>
            Clear search
          </Button>
        }
      >
        No participant email contains “{email}”.
      </Notice>
    );

  return (
    <Screen title={heading}>
      {kind === 'interview' && finished && <FinishedInterview key={finished} id={finished} />}
      <div className={classes.toolbar}>
        <TextInput
          className={classes.search ?? ''}
          type="search"
          placeholder="Search by participant email..."
          aria-label="Search by participant email"
          autoComplete="off"
          leftSection={<IconSearch size={18} stroke={1.5} aria-hidden />}
          rightSection={typed !== '' && <CloseButton size="sm" aria-label="Clear search" onClick={clear} />}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            search(event.currentTarget.value);
          }}
        />
        <SegmentedControl
          className={classes.modes ?? ''}
          aria-label="View mode"
          data={viewModes(role)}
          value={mode}
          onChange={(value) => show(value as ViewMode)}
        />
      </div>
      {mode === 'all' ? (
        <SessionLines key={email} filter={{ kind, email, technology: '' }} empty={empty} />
      ) : (
        <SessionGroups kind={kind} by={mode} email={email} open={open} onToggle={toggle} empty={empty} />
      )}
    </Screen>
  );
}
