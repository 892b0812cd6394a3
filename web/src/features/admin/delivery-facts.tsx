import type { WebhookDelivery } from '@interview-prep/contracts/auth/webhooks';
import { Badge, Text } from '@mantine/core';
import { TimeAgo } from '../../components/times.tsx';
import { countOf } from '../../lib/formats.ts';

const states = {
  delivered: { color: 'teal', label: 'Delivered' },
  waiting: { color: 'indigo', label: 'Retrying' },
  failed: { color: 'orange', label: 'Failed' },
} as const;

/** The delivery status of a message to another system, in a word. */
export function DeliveryBadge({ state }: Pick<WebhookDelivery, 'state'>) {
  return (
    <Badge component="span" color={states[state].color} variant="light" tt="none">
      {states[state].label}
    </Badge>
  );
}

/** When it was first sent, the number of attempts, the response, and the next attempt. */
export function DeliveryFacts(delivery: Pick<WebhookDelivery, 'createdAt' | 'attempts' | 'outcome' | 'nextAt'>) {
  const { createdAt, attempts, outcome, nextAt } = delivery;
  return (
    <Text component="span" display="block" size="sm" c="dimmed">
      <TimeAgo at={createdAt} /> · {countOf(attempts, 'attempt')}
      {outcome && ` · ${outcome}`}
      {nextAt && attempts > 0 && (
        <>
          {' '}
          · Next <TimeAgo at={nextAt} />
        </>
      )}
    </Text>
  );
}
