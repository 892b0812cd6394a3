import { Stack } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { Notice } from '../../../components/notice.tsx';
import { Screen } from '../../../components/screen.tsx';
import { useListGroupsQuery } from '../../../lib/api/groups-api.ts';
import { selectUser } from '../../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../../lib/state/state-hooks.ts';
import { ApiKeysSection } from './api-keys-section.tsx';
import { PlatformsSection } from './platforms-section.tsx';
import { WebhooksSection } from './webhooks-section.tsx';

/** API keys, webhooks and learning platforms, for admins and coaches. */
export default function IntegrationsScreen() {
  const isAdmin = useAppSelector(selectUser)?.role === 'admin';
  const groups = useListGroupsQuery(undefined, { skip: isAdmin });
  const isCoach = groups.data?.some(({ role }) => role === 'coach');
  return (
    <Screen title="Integrations" lead="Connect other systems, such as a learning platform or a script.">
      {!isAdmin && groups.data && !isCoach ? (
        <Notice icon={<IconPlugConnectedX size={32} stroke={1.5} />} title="For admins and coaches">
          Ask an admin to make you the coach of a group.
        </Notice>
      ) : (
        <Stack gap="xl">
          <ApiKeysSection />
          <WebhooksSection />
          {isAdmin && <PlatformsSection />}
        </Stack>
      )}
    </Screen>
  );
}
