import { mixedSetId } from '@interview-prep/contracts/recording/mixed-sessions';
import { skipToken } from '@reduxjs/toolkit/query';
import { Navigate, useLocation, useParams, useSearchParams } from 'react-router-dom';
import { LoadFailure } from '../../../components/load-failure.tsx';
import { Screen } from '../../../components/screen.tsx';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { useListAssignmentsQuery } from '../../../lib/api/assignments-api.ts';
import { useListInterviewSetsQuery } from '../../../lib/api/sets-api.ts';
import { useIsFresh } from '../../../lib/api/use-is-fresh.ts';
import { fallbacks } from '../../../lib/messages.ts';
import { usePageTitle } from '../../../lib/page-title.ts';
import { paths } from '../../../lib/paths.ts';
import { selectUser } from '../../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../../lib/state/state-hooks.ts';
import { firstOpen } from '../session/session-progress.ts';
import { useBegunInterviewQuery } from './begun-interview-api.ts';
import { planOfBegun, planOfQuestions } from './interview-plan.ts';
import { InterviewSession } from './interview-session.tsx';
import { InterviewSkeleton } from './interview-skeleton.tsx';

/** The assignment named in the URL, with the data that its session needs. */
function useAssignedWork(id: string | null) {
  const { data, isLoading } = useListAssignmentsQuery(id === null ? skipToken : {});
  return {
    assignment: data?.find((one) => one.id === id),
    isLoading,
    plan: id === null ? {} : { assignmentId: id },
  };
}

/** Source: product specification, section 2, route /interview/{id}. The URL selects the set; redirects home if it is unknown. */
export default function InterviewScreen() {
  const { id = '' } = useParams();
  const { search } = useLocation();
  return id === mixedSetId ? <Navigate to={`${paths.review}${search}`} replace /> : <SetInterview id={id} />;
}

function SetInterview({ id }: { id: string }) {
  const [search] = useSearchParams();
  const continued = search.get('continue') ?? '';
  const begun = useBegunInterviewQuery({ id: continued }, { skip: continued === '', refetchOnMountOrArgChange: true });
  const user = useAppSelector(selectUser);
  const query = useListInterviewSetsQuery(undefined, { refetchOnMountOrArgChange: true });
  const { data: sets, error, isLoading, isFetching, refetch } = query;
  const fresh = useIsFresh(query);
  const work = useAssignedWork(search.get('assignment'));
  const found = sets?.find(({ _id }) => _id === id);
  const limit = work.assignment?.timeLimitSeconds;
  const set = found && limit ? { ...found, timeLimitSeconds: limit } : found;
  usePageTitle(set && `Interview: ${set.title}`);

  if (isLoading || begun.isFetching || work.isLoading || (sets && !fresh)) return <InterviewSkeleton />;
  if (!sets || begun.error) {
    const failure = sets
      ? { message: errorMessage(begun.error, fallbacks.fetchInterviewDetails), onRetry: begun.refetch }
      : { message: errorMessage(error, fallbacks.fetchInterviewSets), onRetry: refetch };
    return (
      <Screen>
        <LoadFailure {...failure} retrying={isFetching} />
      </Screen>
    );
  }
  if (!set || set.questions.length === 0 || !user) return <Navigate to={paths.home} replace />;
  const interview = begun.data;
  const plan = interview
    ? planOfBegun(interview)
    : { ...planOfQuestions(set.questions, search.get('questions')), ...work.plan };
  const isOver = plan.begun && firstOpen(plan.asked.length, plan.begun.saved) === null;
  // Other users' interviews, and complete ones, are read-only.
  if (interview && (isOver || interview.userId !== user.id || interview.interviewSetId !== id)) {
    return <Navigate to={paths.interviewDetail(interview._id)} replace />;
  }
  return <InterviewSession key={`${id}?${search}`} set={set} plan={plan} userId={user.id} />;
}
