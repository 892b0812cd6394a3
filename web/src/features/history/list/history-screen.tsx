import type { Role } from '@interview-prep/contracts/auth/users';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { Anchor, Button, CloseButton, SegmentedControl, TextInput, Title } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconMicrophone, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { Notice } from '../../../components/notice.tsx';
import { SharedPlaybackProvider } from '../../../components/player/shared-playback.tsx';
import { Screen } from '../../../components/screen.tsx';
import { paths } from '../../../lib/paths.ts';
import { selectUser } from '../../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../../lib/state/state-hooks.ts';
import { useAddressFields } from '../../../lib/use-address-fields.ts';
import { useSessionDetail } from '../detail/use-session-detail.ts';
import { sessionKinds } from '../session-kinds.ts';
import { SessionSummary } from '../summary/session-summary.tsx';
import classes from './history-screen.module.css';
import { SessionGroups } from './session-groups.tsx';
import { SessionLines } from './session-lines.tsx';

/** The summary of the interview that was just finished. It fills in while the answers are judged. */
function FinishedInterview({ id }: { id: string }) {
  const { detail, own, renewMedia } = useSessionDetail('interview', id);
  if (!detail) return null;
  return (
    <section className={classes.finished} aria-label="The interview you finished">
      <div className={classes.head}>
        <Title order={2}>{detail.title}</Title>
        <Anchor component={Link} to={paths.interviewDetail(id)} size="sm">
          See every answer
        </Anchor>
      </div>
      <SharedPlaybackProvider>
        <SessionSummary detail={detail} own={own} detailPath={paths.interviewDetail(id)} renewMedia={renewMedia} />
      </SharedPlaybackProvider>
    </section>
  );
}

/** How a history is grouped. */
type ViewMode = 'all' | 'email' | 'technology';

const modes: readonly { value: ViewMode; label: string; hiddenFor: readonly Role[] }[] = [
  { value: 'all', label: 'View All', hiddenFor: [] },
  { value: 'email', label: 'View by Email', hiddenFor: ['dev'] },
  { value: 'technology', label: 'View by Technologies', hiddenFor: [] },
];

/** The view modes that a role may choose. Source: product specification, section 6. */
export function viewModes(role: Role): { value: ViewMode; label: string }[] {
  return modes.filter(({ hiddenFor }) => !hiddenFor.includes(role)).map(({ value, label }) => ({ value, label }));
}

/** The mode in the address; 'all' if it is unknown or not allowed for the role. */
export function viewModeOf(asked: string | null, role: Role): ViewMode {
  return viewModes(role).find(({ value }) => value === asked)?.value ?? 'all';
}

/** Debounce of the search. */
const searchDelayMs = 300;

/** The id of the interview that the recorder has just finished; '' if none. */
function finishedOf(state: unknown): string {
  const { finished } = (state ?? {}) as { finished?: unknown };
  return typeof finished === 'string' ? finished : '';
}

/** The history of interviews or of practice sessions. View mode, search and open groups are in the address. */
function HistoryScreen({ kind }: { kind: SessionKind }) {
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

/** /interviews */
export function InterviewHistoryScreen() {
  return <HistoryScreen kind="interview" />;
}

/** /practiceInterviews */
export function PracticeHistoryScreen() {
  return <HistoryScreen kind="practice" />;
}
