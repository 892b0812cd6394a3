import type { AuditEntry } from '@interview-prep/contracts/audit';
import type { AuditOutcome } from '@interview-prep/contracts/audit-event';
import { Badge, Text } from '@mantine/core';
import { exactTime, listDate } from '../../../lib/formats.ts';
import rows from '../row-list.module.css';
import classes from './audit-screen.module.css';
import { actionLabel, actorLabel, detailText, outcomeLabels, requestLabel, targetLabel } from './audit-words.ts';

const outcomeColors: Readonly<Record<AuditOutcome, string>> = {
  success: 'teal',
  failed: 'orange',
  denied: 'orange',
  interrupted: 'gray',
};

/** One event: what, with which outcome, who, on what, from where, when. */
export function AuditRow({ entry }: { entry: AuditEntry }) {
  const target = targetLabel(entry);
  const facts = [entry.address && `from ${entry.address}`, detailText(entry)];
  return (
    <li className={`${rows.row} ${classes.row}`}>
      <div className={classes.what}>
        <Text fw={500}>{actionLabel(entry.action)}</Text>
        {entry.outcome !== 'success' && (
          <Badge size="sm" variant="light" color={outcomeColors[entry.outcome]}>
            {outcomeLabels[entry.outcome]}
          </Badge>
        )}
      </div>
      <Text className={classes.who ?? ''} title={entry.actor ?? undefined}>
        {actorLabel(entry)}
        {target && (
          <Text span c="dimmed" title={entry.target ?? undefined}>
            {' '}
            on {target}
          </Text>
        )}
      </Text>
      <Text size="sm" c="dimmed" className={`tabular ${classes.when}`} title={exactTime(entry.at)}>
        <time dateTime={entry.at}>{listDate(entry.at)}</time>
      </Text>
      <Text size="sm" c="dimmed" className={classes.facts ?? ''}>
        {facts.filter(Boolean).join(' · ')}
        {entry.requestId && <span title={entry.requestId}> · {requestLabel(entry.requestId)}</span>}
      </Text>
    </li>
  );
}
