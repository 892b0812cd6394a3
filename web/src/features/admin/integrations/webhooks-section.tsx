import {
  type Webhook,
  type WebhookDelivery,
  WebhookEventType,
  webhookRoutes,
} from '@interview-prep/contracts/auth/webhooks';
import { Badge, Button, Checkbox, Code, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconHistory, IconTrash, IconWebhook } from '@tabler/icons-react';
import { useState } from 'react';
import bordered from '../../../components/bordered-list.module.css';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { failureOf, PartFailure } from '../../../components/load-failure.tsx';
import { TimeAgo } from '../../../components/times.tsx';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { selectUser } from '../../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../../lib/state/state-hooks.ts';
import { toast } from '../../../lib/toasts.ts';
import { DeliveryBadge, DeliveryFacts } from '../delivery-facts.tsx';
import rows from '../row-list.module.css';
import { errorWithin } from '../use-checked-form.ts';
import { IconAction, useDeletion } from '../use-deletion.tsx';
import { IntegrationSection, NewSecretDialog } from './integration-section.tsx';
import {
  useCreateWebhookMutation,
  useDeleteWebhookMutation,
  useDeliveriesQuery,
  useRedeliverMutation,
  useWebhooksQuery,
} from './integrations-api.ts';

const eventNames: Readonly<Record<WebhookEventType, string>> = {
  'answer.judged': 'An answer is scored',
  'assignment.completed': 'A member completes an assignment',
  'member.joined': 'A member joins a group',
};

/** Asks for the URL that receives events, and shows the secret once. */
function NewWebhookDialog({ onClose }: { onClose: () => void }) {
  const [create] = useCreateWebhookMutation();
  const [typed, setTyped] = useState({ url: '', events: [...WebhookEventType.options] as string[] });
  return (
    <NewSecretDialog
      title="New webhook"
      schema={webhookRoutes.createWebhook.body}
      typed={typed}
      create={create}
      failed="Failed to create the webhook"
      submitLabel="Create webhook"
      secretLabel="Signing secret"
      usage="The receiver verifies messages with it, as in the Standard Webhooks specification, for which there are libraries in most languages."
      onClose={onClose}
      fields={(errors) => (
        <>
          <TextInput
            label="Address"
            placeholder="https://example.com/webhook"
            type="url"
            data-autofocus
            value={typed.url}
            error={errors.url}
            onChange={(event) => setTyped({ ...typed, url: event.currentTarget.value })}
          />
          <Checkbox.Group
            label="Send a message when"
            value={typed.events}
            error={errorWithin(errors, 'events')}
            onChange={(events) => setTyped({ ...typed, events })}
          >
            <Stack gap={8} my={6}>
              {WebhookEventType.options.map((type) => (
                <Checkbox key={type} value={type} label={eventNames[type]} description={type} />
              ))}
            </Stack>
          </Checkbox.Group>
        </>
      )}
    />
  );
}

function DeliveryRow({ webhookId, delivery }: { webhookId: string; delivery: WebhookDelivery }) {
  const [redeliver, { isLoading }] = useRedeliverMutation();
  const { id, type, state, payload } = delivery;
  const send = async () => {
    const { error } = await redeliver({ id: webhookId, deliveryId: id });
    if (error) toast.error(errorMessage(error, 'Failed to send the message'));
    else toast.success('The message is being sent again');
  };
  return (
    <li className={`${rows.row} ${rows.padded}`}>
      <details className={rows.what}>
        <summary>
          {type} <DeliveryBadge state={state} />
          <DeliveryFacts {...delivery} />
        </summary>
        <Code block mt={6}>
          {payload}
        </Code>
      </details>
      <Button
        size="xs"
        variant="default"
        loading={isLoading}
        onClick={() => void send()}
        aria-label={`Send again: ${type}`}
      >
        Send again
      </Button>
    </li>
  );
}

/** A webhook's deliveries, newest first. */
function DeliveriesDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const query = useDeliveriesQuery(
    { id: webhook.id },
    { refetchOnMountOrArgChange: true, pollingInterval: 5000, skipPollingIfUnfocused: true },
  );
  const failure = failureOf([query, 'Failed to fetch the messages']);
  return (
    <Modal opened onClose={onClose} size="lg" title="Recent messages" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Text size="sm" mb="sm" className={rows.what ?? ''}>
        {webhook.url}
      </Text>
      {failure && <PartFailure {...failure} />}
      {query.data?.length === 0 && <Text c="dimmed">Nothing has been sent yet.</Text>}
      {query.data && query.data.length > 0 && (
        <ul className={bordered.list} aria-label="Messages">
          {query.data.map((delivery) => (
            <DeliveryRow key={delivery.id} webhookId={webhook.id} delivery={delivery} />
          ))}
        </ul>
      )}
    </Modal>
  );
}

/** The user's webhooks; for admins, everyone's. */
export function WebhooksSection() {
  const query = useWebhooksQuery(undefined, { refetchOnMountOrArgChange: true });
  const [remove] = useDeleteWebhookMutation();
  const [shown, setShown] = useState<Webhook | null>(null);
  const user = useAppSelector(selectUser);
  const deletion = useDeletion<Webhook>({
    remove: ({ id }) => remove({ id }),
    refetch: query.refetch,
    done: () => 'Webhook deleted',
    failed: 'Failed to delete the webhook',
  });
  return (
    <IntegrationSection
      id="webhooks"
      title="Webhooks"
      name="webhooks"
      newLabel="New webhook"
      icon={<IconWebhook size={32} stroke={1.5} />}
      purpose="Another system gets a signed message when an answer is scored, an assignment is completed, or a member joins."
      query={query}
      newDialog={(onClose) => <NewWebhookDialog onClose={onClose} />}
      row={(webhook) => (
        <li key={webhook.id} className={`${rows.row} ${rows.padded}`}>
          <div className={rows.what}>
            <Text component="div" fw={550}>
              {webhook.url}{' '}
              {webhook.lastDelivery?.succeeded === false && (
                <Badge color="orange" variant="light" tt="none">
                  Last message failed
                </Badge>
              )}
            </Text>
            <Text size="sm">
              {webhook.events.map((type) => eventNames[type]).join(' · ')}
              {webhook.owner.userId !== user?.id && ` · ${webhook.owner.email}`}
            </Text>
            <Text size="sm" c="dimmed">
              {webhook.lastDelivery ? (
                <>
                  Last message <TimeAgo at={webhook.lastDelivery.at} />
                </>
              ) : (
                'Nothing sent yet'
              )}
            </Text>
          </div>
          <IconAction aria-label={`Messages to ${webhook.url}`} onClick={() => setShown(webhook)}>
            <IconHistory size={18} stroke={1.5} aria-hidden />
          </IconAction>
          <IconAction aria-label={`Delete ${webhook.url}`} onClick={() => deletion.ask(webhook)}>
            <IconTrash size={18} stroke={1.5} aria-hidden />
          </IconAction>
        </li>
      )}
    >
      {shown && <DeliveriesDialog webhook={shown} onClose={() => setShown(null)} />}
      <ConfirmDialog {...deletion.dialog} title="Delete this webhook?" confirmLabel="Delete webhook">
        {deletion.about?.url} gets no more messages, and the log of its messages is deleted.
      </ConfirmDialog>
    </IntegrationSection>
  );
}
