import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { Badge, Text, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { DetailDate } from '../../../components/times.tsx';
import { roleName } from '../../../lib/formats.ts';
import { unknowns } from '../../../lib/messages.ts';
import { sessionKinds } from '../session-kinds.ts';
import type { SessionDetail } from '../session-types.ts';
import { useSeesParticipant } from '../use-sees-participant.ts';
import classes from './session-header.module.css';

/** The link to the parent page. */
export function BackLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className={classes.back}>
      <IconArrowLeft size={16} stroke={1.75} aria-hidden />
      {children}
    </Link>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The header of a session: its set, its date, and its participant unless that is the reader. */
export function SessionHeader({ kind, detail }: { kind: SessionKind; detail: SessionDetail }) {
  const { userDetails } = detail;
  const seesParticipant = useSeesParticipant(userDetails);
  return (
    <header className={classes.header}>
      <BackLink to={sessionKinds[kind].listPath}>{sessionKinds[kind].heading}</BackLink>
      <div className={classes.heading}>
        <Title order={1}>{detail.title || sessionKinds[kind].detailHeading}</Title>
        <Badge variant="light" radius="sm" size="lg" tt="none" fw={550}>
          {detail.technology}
        </Badge>
      </div>
      <dl className={classes.facts}>
        {kind === 'practice' && (
          <Fact label="Answered">
            {new Set(detail.recordings.map(({ questionId }) => questionId)).size} of {detail.questions.length}
          </Fact>
        )}
        <Fact label="Date">
          <DetailDate at={detail.createdAt} />
        </Fact>
        {seesParticipant && (
          <>
            <Fact label="Participant">
              {userDetails?.email?.trim() || unknowns.email}{' '}
              <span className={classes.role}>{roleName(userDetails?.role)}</span>
            </Fact>
            {kind === 'interview' ? (
              <Fact label="User ID">
                <Text span ff="monospace" size="xs">
                  {detail.userId?.trim() || unknowns.user}
                </Text>
              </Fact>
            ) : (
              <Fact label="Session ID">
                <Text span ff="monospace" size="xs">
                  {detail.sessionId}
                </Text>
              </Fact>
            )}
          </>
        )}
      </dl>
    </header>
  );
}
