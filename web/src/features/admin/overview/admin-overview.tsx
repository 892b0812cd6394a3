import type { InterviewSet } from '@interview-prep/contracts/catalog/sets';
import { Anchor, Skeleton, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { MarkedText } from '../../../components/marked-text.tsx';
import { TimeAgo } from '../../../components/times.tsx';
import { useListInterviewSetsQuery } from '../../../lib/api/sets-api.ts';
import { countOf, roleName } from '../../../lib/formats.ts';
import { unknowns } from '../../../lib/messages.ts';
import { paths, questionHash, sessionPath } from '../../../lib/paths.ts';
import { useHealth } from '../operations/health.tsx';
import classes from './overview.module.css';
import { useNewestUsersQuery, useOverview } from './overview-api.ts';

const listed = 3;

interface CardProps {
  title: string;
  /** Null for a card without a count. */
  count: number | null;
  /** Whether it needs the admin's attention. */
  urgent?: boolean;
  all?: { to: string; label: string };
  children: ReactNode;
}

function Card({ title, count, urgent = false, all, children }: CardProps) {
  return (
    <section className={classes.card} aria-label={title}>
      <Title order={2} size="h5">
        {title}
        {count !== null && (
          <span className={classes.count} data-urgent={(urgent && count > 0) || undefined}>
            {count}
          </span>
        )}
      </Title>
      {children}
      {all && (
        <Anchor component={Link} to={all.to} size="sm" mt="auto">
          {all.label}
        </Anchor>
      )}
    </section>
  );
}

interface Row {
  key: string;
  to: string;
  name: ReactNode;
  note: ReactNode;
}

/** Links with notes, or `none` for an empty list. */
function Rows({ rows, none }: { rows: readonly Row[]; none: string }) {
  if (rows.length === 0) return <p className={classes.note}>{none}</p>;
  return (
    <ul className={classes.rows}>
      {rows.map(({ key, to, name, note }) => (
        <li key={key}>
          <Anchor component={Link} to={to} size="sm" className={classes.name ?? ''}>
            {name}
          </Anchor>
          <span className={classes.note}>{note}</span>
        </li>
      ))}
    </ul>
  );
}

/** The engines of the running workers, and their queues. */
function Workers({ waiting }: { waiting: { count: number; since: string | null } }) {
  const health = useHealth();
  const workers = health?.workers ?? [];
  const isDown = health?.services.worker === 'down';
  return (
    <Card title="Workers" count={workers.length}>
      <p className={classes.note}>
        {isDown && <strong>No worker is running. </strong>}
        {waiting.since === null ? (
          'No answer is waiting to be processed.'
        ) : (
          <>
            {countOf(waiting.count, 'answer')} being processed, the oldest since <TimeAgo at={waiting.since} />.
          </>
        )}
      </p>
      {[...new Set(workers.map(({ speech, assess }) => `${speech ?? 'No speech engine'} · ${assess}`))].map(
        (engines) => (
          <p key={engines} className={classes.note}>
            {engines}
          </p>
        ),
      )}
    </Card>
  );
}

/** The published sets that lack expert answers for scoring. */
function unansweredRows(sets: readonly InterviewSet[]): Row[] {
  return sets.flatMap(({ _id, title, unanswered = 0, questions }) =>
    unanswered === 0
      ? []
      : [
          {
            key: _id,
            to: paths.editSet(_id),
            name: title,
            note: `${unanswered} of ${countOf(questions.length, 'question')}`,
          },
        ],
  );
}

/** The top of an admin's home screen: pending work and the product's health. */
export default function AdminOverview() {
  const overview = useOverview();
  const newest = useNewestUsersQuery().data;
  const { data: sets = [] } = useListInterviewSetsQuery();
  if (!overview || !newest) return <Skeleton h={340} mb="lg" />;
  const { appeals, failed, waiting } = overview;
  const unanswered = unansweredRows(sets);
  return (
    <section aria-label="Overview" className={classes.cards}>
      <Card title="Open appeals" count={appeals.count} urgent all={{ to: paths.appeals, label: 'All appeals' }}>
        <Rows
          none="No open appeals"
          rows={appeals.oldest.map(({ recordingId, interviewId, questionId, question, email, createdAt }) => ({
            key: recordingId,
            to: `${paths.interviewDetail(interviewId)}${questionHash(questionId)}`,
            name: <MarkedText>{question}</MarkedText>,
            note: (
              <>
                {email ?? unknowns.email} · <TimeAgo at={createdAt} />
              </>
            ),
          }))}
        />
      </Card>
      <Card title="Failed recordings" count={failed.count} urgent>
        <Rows
          none="No recording has failed"
          rows={failed.newest.map(
            ({ recordingId, kind, interviewId, questionId, title, email, createdAt, reason }) => ({
              key: recordingId,
              to: `${sessionPath(kind, interviewId)}${questionHash(questionId)}`,
              name: `${title}, question ${questionId + 1}`,
              note: (
                <>
                  {email ?? unknowns.email} · <TimeAgo at={createdAt} /> · {reason}
                </>
              ),
            }),
          )}
        />
      </Card>
      <Card
        title="Sets without expert answers"
        count={unanswered.length}
        {...(unanswered.length > listed ? { all: { to: paths.manageSets, label: 'All sets' } } : {})}
      >
        <Rows none="Every published set has its expert answers" rows={unanswered.slice(0, listed)} />
      </Card>
      <Card title="New in the last 7 days" count={newest.lastSevenDays} all={{ to: paths.users, label: 'All users' }}>
        <Rows
          none="Nobody has signed up yet"
          rows={newest.users.map(({ id, email, role, createdAt }) => ({
            key: id,
            to: `${paths.users}#q=${encodeURIComponent(email)}`,
            name: email,
            note: (
              <>
                {roleName(role)} · <TimeAgo at={createdAt} />
              </>
            ),
          }))}
        />
      </Card>
      <Workers waiting={waiting} />
    </section>
  );
}
