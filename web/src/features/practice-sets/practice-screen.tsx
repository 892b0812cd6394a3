import { Button, Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { IconVideo } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { ListToolbar, Pager, useListPage } from '../../components/list-page.tsx';
import { LoadFailure } from '../../components/load-failure.tsx';
import { Notice } from '../../components/notice.tsx';
import { Screen } from '../../components/screen.tsx';
import cards from '../../components/set-card.module.css';
import { SetCard } from '../../components/set-card.tsx';
import { type ApiError, errorMessage } from '../../lib/api/api-error.ts';
import { useListPracticeSetsQuery } from '../../lib/api/sets-api.ts';
import { fallbacks, messages } from '../../lib/messages.ts';
import { paths } from '../../lib/paths.ts';
import { selectUser } from '../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../lib/state/state-hooks.ts';
import { useFailureToast } from '../../lib/toasts.ts';

const setsPerPage = 12;
const skeletons = ['a', 'b', 'c', 'd', 'e', 'f'];

/** Source: product specification, section 2, route /practice. */
export default function PracticeScreen() {
  const user = useAppSelector(selectUser);
  const { data: sets, error, isLoading, isFetching, refetch } = useListPracticeSetsQuery();
  const list = useListPage(
    sets ?? [],
    ({ title, technology, tags }) => [title, technology, ...tags].join('\n'),
    setsPerPage,
  );
  useFailureToast(sets ? undefined : (error as ApiError | undefined), messages.practice.setsFailed);

  const screen = {
    title: 'Practice Interview',
    lead: 'Rehearse on camera with a model answer beside you.',
  };
  if (isLoading) {
    return (
      <Screen {...screen}>
        <VisuallyHidden role="status">Loading practice sets…</VisuallyHidden>
        <div className={cards.grid} aria-hidden>
          {skeletons.map((card) => (
            <Skeleton key={card} height={220} radius="lg" />
          ))}
        </div>
      </Screen>
    );
  }
  if (!sets) {
    return (
      <Screen {...screen}>
        <LoadFailure
          message={errorMessage(error, fallbacks.fetchPracticeSets)}
          onRetry={refetch}
          retrying={isFetching}
        />
      </Screen>
    );
  }
  if (sets.length === 0) {
    return (
      <Screen {...screen}>
        <NoSets admin={user?.role === 'admin'} />
      </Screen>
    );
  }
  return (
    <Screen {...screen}>
      <Stack gap={20}>
        <ListToolbar list={list} nouns={['practice set', 'practice sets']} />
        {list.found === 0 && <Notice title="No practice sets match your search." />}
        <ul className={cards.grid}>
          {list.items.map((set) => (
            <SetCard
              key={set._id}
              set={set}
              actions={
                <Button
                  component={Link}
                  to={paths.practiceSession(set._id)}
                  aria-label={`Practice Interview: ${set.title}`}
                >
                  Practice Interview
                </Button>
              }
            />
          ))}
        </ul>
        <Pager {...list} />
      </Stack>
    </Screen>
  );
}

function NoSets({ admin }: { admin: boolean }) {
  return (
    <Notice
      icon={<IconVideo size={32} stroke={1.5} />}
      title="No practice sets yet."
      action={
        admin ? (
          <Button component={Link} to={paths.practiceAdmin}>
            Add a practice set
          </Button>
        ) : (
          <Button component={Link} to={paths.home} variant="default">
            Take an interview instead
          </Button>
        )
      }
    >
      {admin
        ? 'A practice set is a list of questions with answers. Candidates rehearse with it on camera.'
        : 'Practice sets appear here once an admin adds them.'}
    </Notice>
  );
}
