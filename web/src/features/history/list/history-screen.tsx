import type { Role } from '@interview-prep/contracts/auth/users';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { Anchor, Box, Button, CloseButton, Group, SegmentedControl, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconMicrophone, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { Notice } from '../../../components/notice.tsx';
import { SharedPlaybackProvider } from '../../../components/player/shared-playback.tsx';
import { Screen } from '../../../components/screen.tsx';
import { countOf, dayStart, spokenTime } from '../../../lib/formats.ts';
import { paths } from '../../../lib/paths.ts';
import { selectUser } from '../../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../../lib/state/state-hooks.ts';
import { useAddressFields } from '../../../lib/use-address-fields.ts';
import { useSessionDetail } from '../detail/use-session-detail.ts';
import { type HistoryFilter, type HistorySearch, useSessionHistoryInfiniteQuery } from '../history-api.ts';
import { sessionKinds } from '../session-kinds.ts';
import summaryClasses from '../summary/session-summary.module.css';
import { SessionSummary } from '../summary/session-summary.tsx';
import classes from './history-screen.module.css';
import { SessionGroups } from './session-groups.tsx';
import { SessionLines } from './session-lines.tsx';

/** The summary of the interview just finished. It fills in as the answers are judged. */
function FinishedInterview({ id }: { id: string }) {
  const { detail, own, renewMedia } = useSessionDetail('interview', id);
  if (!detail) return null;
  return (
    <Box component="section" mb="xl" aria-label="The interview you finished">
      <Group gap="4px 16px" align="baseline" justify="space-between" mb="sm" fz="sm">
        <Title order={2}>{detail.title}</Title>
        <Anchor component={Link} to={paths.interviewDetail(id)} size="sm">
          See every answer
        </Anchor>
      </Group>
      <SharedPlaybackProvider>
        <SessionSummary detail={detail} own={own} detailPath={paths.interviewDetail(id)} renewMedia={renewMedia} />
      </SharedPlaybackProvider>
    </Box>
  );
}

/** The user's results in the sessions shown. Hidden above other users' sessions. */
function HistoryTotals({ filter }: { filter: HistoryFilter }) {
  const { currentData } = useSessionHistoryInfiniteQuery(filter);
  const [first] = currentData?.pages ?? [];
  if (!first?.summary || first.total === 0) return null;
  const { answeredCount, judgedCount, average, spokenMs } = first.summary;
  return (
    <section aria-label="Totals">
      <p className={summaryClasses.line}>
        {average !== null && (
          <>
            <Text span mr={4} size="xl" fw={650} lh={1.2} className="tabular">
              {average}%
            </Text>{' '}
            <span className={summaryClasses.note}>average of {countOf(judgedCount, 'scored answer')} · </span>
          </>
        )}
        <span className={summaryClasses.note}>
          {sessionKinds[filter.kind].counted(first.total)}
          {answeredCount !== judgedCount && ` · ${countOf(answeredCount, 'answer')}`} · {spokenTime(spokenMs)} spoken
        </span>
      </p>
    </section>
  );
}

/** The grouping of a history. */
type ViewMode = 'all' | 'email' | 'technology';

const modes: readonly { value: ViewMode; label: string; hiddenFor: readonly Role[] }[] = [
  { value: 'all', label: 'View All', hiddenFor: [] },
  { value: 'email', label: 'View by Email', hiddenFor: ['dev', 'others'] },
  { value: 'technology', label: 'View by Technologies', hiddenFor: [] },
];

/**
 * The view modes of each role. Source: product specification, section 6. Candidates only see their own history, so they
 * can't group by email.
 */
export function viewModes(role: Role): { value: ViewMode; label: string }[] {
  return modes.filter(({ hiddenFor }) => !hiddenFor.includes(role)).map(({ value, label }) => ({ value, label }));
}

/** The mode in the URL; 'all' if it is unknown or not allowed for the role. */
export function viewModeOf(asked: string | null, role: Role): ViewMode {
  return viewModes(role).find(({ value }) => value === asked)?.value ?? 'all';
}

/** Debounce of the search. */
const searchDelayMs = 300;

/** The fields that the search covers: candidates search their answers, everyone else searches by participant. */
const searches = {
  participant: { field: 'email', placeholder: 'Search by participant email...', in: 'participant email' },
  content: { field: 'text', placeholder: 'Search by set or question...', in: 'set or question' },
} as const;

/** The id of the interview that the recorder has just finished; '' if none. */
function finishedOf(state: unknown): string {
  const { finished } = (state ?? {}) as { finished?: unknown };
  return typeof finished === 'string' ? finished : '';
}

/** The history of interviews or practice sessions. View mode, search and open groups are in the URL. */
function HistoryScreen({ kind }: { kind: SessionKind }) {
  const { heading, none, next } = sessionKinds[kind];
  const role = useAppSelector(selectUser)?.role ?? 'others';
  const finished = finishedOf(useLocation().state);
  const [params, change] = useAddressFields();
  const mode = viewModeOf(params.get('view'), role);
  const searched = role === 'others' ? searches.content : searches.participant;
  const hasDays = role === 'others';
  const fieldOf = (field: string) => params.get(field) ?? '';
  const text = fieldOf(searched.field);
  const [typed, setTyped] = useState(text);
  const [known, setKnown] = useState(text);
  // The URL changed (Back, a link): update the field.
  if (known !== text) {
    setKnown(text);
    if (typed.trim() !== text) setTyped(text);
  }
  const from = hasDays ? dayStart(fieldOf('from')) : undefined;
  const to = hasDays ? dayStart(fieldOf('to'), true) : undefined;
  const search: HistorySearch = { ...(text && { [searched.field]: text }), ...(from && { from }), ...(to && { to }) };
  const searchKey = JSON.stringify(search);

  const set = (field: string, value: string) => change({ [field]: value });
  const searchFor = useDebouncedCallback((value: string) => set(searched.field, value.trim()), searchDelayMs);
  const clear = () => {
    setTyped('');
    change({ [searched.field]: '', from: '', to: '' });
  };
  const show = (view: ViewMode) => change({ open: '', view: view === 'all' ? '' : view });
  const open = params.getAll('open');
  const toggle = (key: string) =>
    change({ open: open.includes(key) ? open.filter((each) => each !== key) : [...open, key] });

  const empty =
    searchKey === '{}' ? (
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
        {text && `No ${searched.in} contains “${text}”${from || to ? ' on these dates' : ''}.`}
        {!text && 'There is nothing on these dates.'}
      </Notice>
    );

  return (
    <Screen title={heading}>
      {kind === 'interview' && finished && <FinishedInterview key={finished} id={finished} />}
      <HistoryTotals filter={{ kind, search }} />
      <Group gap="12px 16px" mb="lg">
        <TextInput
          className={classes.search ?? ''}
          type="search"
          placeholder={searched.placeholder}
          aria-label={`Search by ${searched.in}`}
          autoComplete="off"
          leftSection={<IconSearch size={18} stroke={1.5} aria-hidden />}
          rightSection={
            typed !== '' && (
              <CloseButton
                size="sm"
                aria-label="Clear search"
                onClick={() => {
                  setTyped('');
                  set(searched.field, '');
                }}
              />
            )
          }
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            searchFor(event.currentTarget.value);
          }}
        />
        {hasDays &&
          (['From', 'To'] as const).map((label) => (
            <TextInput
              key={label}
              className={classes.day ?? ''}
              type="date"
              label={label}
              value={fieldOf(label.toLowerCase())}
              onChange={(event) => set(label.toLowerCase(), event.currentTarget.value)}
            />
          ))}
        <SegmentedControl
          className={classes.modes ?? ''}
          aria-label="View mode"
          data={viewModes(role)}
          value={mode}
          onChange={(value) => show(value as ViewMode)}
        />
      </Group>
      {mode === 'all' ? (
        <SessionLines key={searchKey} filter={{ kind, search }} empty={empty} />
      ) : (
        <SessionGroups kind={kind} by={mode} search={search} open={open} onToggle={toggle} empty={empty} />
      )}
    </Screen>
  );
}

export function InterviewHistoryScreen() {
  return <HistoryScreen kind="interview" />;
}

export function PracticeHistoryScreen() {
  return <HistoryScreen kind="practice" />;
}
