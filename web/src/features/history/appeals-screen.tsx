import { LoadFailure } from '../../components/load-failure.tsx';
import { Screen } from '../../components/screen.tsx';
import type { ApiError } from '../../lib/api/api-error.ts';
import { SessionSkeletons } from './list/session-skeletons.tsx';
import { AgreementTable } from './review/agreement-table.tsx';
import { AppealList } from './review/appeal-list.tsx';
import { useAppealsQuery, useReviewAgreementQuery } from './review/reviews-api.ts';

/** Answers that candidates ask a person to judge, and how far the judge agrees with people. */
export default function AppealsScreen() {
  const options = { refetchOnMountOrArgChange: true, pollingInterval: 30_000 };
  const appeals = useAppealsQuery(undefined, options);
  const agreement = useReviewAgreementQuery(undefined, { refetchOnMountOrArgChange: true });
  const error = (appeals.error ?? agreement.error) as ApiError | undefined;
  const retry = () => {
    appeals.refetch();
    agreement.refetch();
  };
  return (
    <Screen title="Appeals" lead="Answers that candidates have asked you to review.">
      {error && !appeals.data && (
        <LoadFailure message={error.message} onRetry={retry} retrying={appeals.isFetching || agreement.isFetching} />
      )}
      {!appeals.data && !error && <SessionSkeletons count={3} />}
      {appeals.data && <AppealList appeals={appeals.data} />}
      {agreement.data && <AgreementTable agreement={agreement.data} />}
    </Screen>
  );
}
