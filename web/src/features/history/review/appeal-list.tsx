import type { AppealItem } from '@interview-prep/contracts/recording/reviews';
import { Anchor, Title } from '@mantine/core';
import { IconUserQuestion } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { MarkedText } from '../../../components/marked-text.tsx';
import { Notice } from '../../../components/notice.tsx';
import { exactTime, timeAgo } from '../../../lib/formats.ts';
import { unknowns } from '../../../lib/messages.ts';
import { paths } from '../../../lib/paths.ts';
import { questionHash } from '../detail/question-hash.ts';
import classes from './appeals.module.css';

const percent = (value: number | null) => (value === null ? 'not scored' : `${Math.round(value)}%`);

/** Open appeals, and those that a person has answered. */
export function AppealList({ appeals }: { appeals: readonly AppealItem[] }) {
  const open = appeals.filter(({ reviewPercentage }) => reviewPercentage === null);
  const answered = appeals.filter(({ reviewPercentage }) => reviewPercentage !== null);
  return (
    <>
      <Title order={2} size="h3" mb="sm">
        Waiting <span className={classes.count}>{open.length}</span>
      </Title>
      {open.length === 0 ? (
        <Notice icon={<IconUserQuestion size={32} stroke={1.5} />} title="No open appeals">
          An answer appears here when a candidate requests a human review.
        </Notice>
      ) : (
        <Rows appeals={open} />
      )}
      {answered.length > 0 && (
        <>
          <Title order={2} size="h3" mt="xl" mb="sm">
            Answered <span className={classes.count}>{answered.length}</span>
          </Title>
          <Rows appeals={answered} />
        </>
      )}
    </>
  );
}

function Rows({ appeals }: { appeals: readonly AppealItem[] }) {
  return (
    <ul className={classes.rows}>
      {appeals.map((appeal) => (
        <li key={appeal.recordingId} className={classes.row}>
          <div className={classes.what}>
            <Anchor
              component={Link}
              to={`${paths.interviewDetail(appeal.interviewId)}${questionHash(appeal.questionId)}`}
              inherit
              fw={600}
            >
              <MarkedText>{appeal.question}</MarkedText>
            </Anchor>
            {appeal.automatic ? (
              <span className={classes.reason}>{appeal.reason}</span>
            ) : (
              <q className={classes.reason}>{appeal.reason}</q>
            )}
            <span className={classes.dim}>
              {appeal.title} · {appeal.email ?? unknowns.email} ·{' '}
              <time dateTime={appeal.createdAt} title={exactTime(appeal.createdAt)}>
                {timeAgo(appeal.createdAt)}
              </time>
            </span>
          </div>
          <span className={classes.figures}>
            Judge {percent(appeal.machinePercentage)}
            {appeal.unsurePoints > 0 &&
              ` · ${appeal.unsurePoints} unsure ${appeal.unsurePoints === 1 ? 'point' : 'points'}`}
            {appeal.reviewPercentage !== null && ` · reviewer ${percent(appeal.reviewPercentage)}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
