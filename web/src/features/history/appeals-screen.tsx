import type { ReviewAgreement } from '@interview-prep/contracts/recording/reviews';
import { Table, Title } from '@mantine/core';
import { LoadFailure } from '../../components/load-failure.tsx';
import { MarkedText } from '../../components/marked-text.tsx';
import { Screen } from '../../components/screen.tsx';
import type { ApiError } from '../../lib/api/api-error.ts';
import { SessionSkeletons } from './list/session-lines.tsx';
import { AppealList } from './review/appeal-list.tsx';
import classes from './review/appeals.module.css';
import { useAppealsQuery, useReviewAgreementQuery } from './review/reviews-api.ts';

const figure = (value: number | null) => (value === null ? '–' : value.toFixed(2));
const rowsMax = 20;

/** How far the judge and people agree, and the questions where they differ most; nothing before the first review. */
function AgreementTable({ agreement: { all, questions } }: { agreement: ReviewAgreement }) {
  if (!all) return null;
  return (
    <section>
      <Title order={2} size="h3" mt="xl" mb="xs">
        Where the judge and people differ most
      </Title>
      <p className={classes.dim}>
        {all.count} {all.count === 1 ? 'answer' : 'answers'} scored by both: {all.difference} percentage points apart on
        average. Pearson’s r {figure(all.pearson)}, Cohen’s κ {figure(all.kappa)}. 1 = full agreement, 0 = no better
        than chance, – = too few answers.
      </p>
      <Table.ScrollContainer minWidth={560} type="native" tabIndex={0} role="region" aria-label="Agreement by question">
        <Table verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Question</Table.Th>
              <Table.Th>Set</Table.Th>
              <Table.Th ta="right">Answers</Table.Th>
              <Table.Th ta="right">Apart</Table.Th>
              <Table.Th ta="right">Pearson</Table.Th>
              <Table.Th ta="right">κ</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody className="tabular">
            {questions.slice(0, rowsMax).map(({ title, question, count, difference, pearson, kappa }) => (
              <Table.Tr key={`${title} ${question}`}>
                <Table.Td>
                  <MarkedText>{question}</MarkedText>
                </Table.Td>
                <Table.Td>{title}</Table.Td>
                <Table.Td ta="right">{count}</Table.Td>
                <Table.Td ta="right">{difference}</Table.Td>
                <Table.Td ta="right">{figure(pearson)}</Table.Td>
                <Table.Td ta="right">{figure(kappa)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  );
}

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
