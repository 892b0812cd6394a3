import { failureOf } from '../../components/failed-loads.ts';
import { LoadFailure } from '../../components/load-failure.tsx';
import { PartFailure } from '../../components/part-failure.tsx';
import { Screen } from '../../components/screen.tsx';
import type { ApiError } from '../../lib/api/api-error.ts';
import { fallbacks } from '../../lib/messages.ts';
import { useFailureToast } from '../../lib/use-failure-toast.ts';
import { homeStep } from './home-step.ts';
import { InterviewSetsSkeleton } from './interview-sets-skeleton.tsx';
import { NowCards } from './now-cards.tsx';
import { SetBrowser } from './set-browser.tsx';
import { useHomeData } from './use-home-data.ts';

/** Source: product specification, section 2, route /. The filter, the search and the page are in the address. */
export default function InterviewSetsScreen() {
  const { user, queries, settled, own, queue, taken, progress } = useHomeData();
  const { sets: setsQuery, technologies: technologiesQuery } = queries;
  const technologies = technologiesQuery.data ?? [];
  const error = Object.values(queries).find((query) => query.error)?.error;
  useFailureToast(error as ApiError | undefined, fallbacks.fetchData);

  const screen = { title: 'Interview Sets', lead: 'Choose a set, answer aloud, and see how you did.' };
  const failure = failureOf(
    [setsQuery, fallbacks.fetchInterviewSets],
    [technologiesQuery, fallbacks.fetchTechnologies],
    [queries.lastTaken, fallbacks.fetchInterviewHistory],
    [queries.progress, fallbacks.fetchProgress],
    [queries.reviews, fallbacks.fetchReviews],
  );
  const all = setsQuery.data;
  if (!all || !settled) {
    return <Screen {...screen}>{failure && !all ? <LoadFailure {...failure} /> : <InterviewSetsSkeleton />}</Screen>;
  }

  const isAdmin = user?.role === 'admin';
  const step = progress
    ? homeStep({ sets: all, practiceSets: queries.practiceSets.data ?? [], taken, latest: progress.latest, queue, own })
    : null;
  return (
    <Screen {...screen}>
      <NowCards step={step} queue={queue} progress={progress} />
      <SetBrowser
        sets={all}
        technologies={technologies}
        own={own}
        taken={taken}
        editable={isAdmin}
        isFirstStep={isAdmin && technologiesQuery.isSuccess && all.length === 0}
        failure={failure && <PartFailure mt="md" {...failure} />}
      />
    </Screen>
  );
}
