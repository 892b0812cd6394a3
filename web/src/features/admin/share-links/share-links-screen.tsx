import type { ListedShare } from '@interview-prep/contracts/recording/shares';
import { Anchor, Button, Stack, Text } from '@mantine/core';
import { IconLinkOff, IconTrash } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import bordered from '../../../components/bordered-list.module.css';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { failureOf, LoadFailure, PartFailure } from '../../../components/load-failure.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Screen } from '../../../components/screen.tsx';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { api } from '../../../lib/api/base-api.ts';
import { endpoint } from '../../../lib/api/route-request.ts';
import { countOf, detailDate } from '../../../lib/formats.ts';
import { unknowns } from '../../../lib/messages.ts';
import { paths } from '../../../lib/paths.ts';
import { toast } from '../../../lib/toasts.ts';
import { ListSkeleton } from '../list-skeleton.tsx';
import rows from '../row-list.module.css';
import { IconAction, useConfirm } from '../use-deletion.tsx';

const shareLinksApi = api.injectEndpoints({
  endpoints: (build) => ({
    shareLinks: build.query({
      ...endpoint('listAllShares'),
      extraOptions: { fallback: 'Failed to load the share links' },
    }),
    revokeShareLink: build.mutation({
      ...endpoint('revokeShare'),
      extraOptions: { fallback: 'Failed to revoke the link' },
    }),
    revokeAllShareLinks: build.mutation({
      ...endpoint('revokeAllShares'),
      extraOptions: { fallback: 'Failed to revoke the links' },
    }),
  }),
});

export const { useShareLinksQuery, useRevokeShareLinkMutation, useRevokeAllShareLinksMutation } = shareLinksApi;

const parts = { media: 'recordings', transcript: 'transcripts', verdicts: 'scores' } as const;

function accessOf({ role, shows }: ListedShare): string {
  if (role === 'review') return 'Can view everything and leave feedback';
  const names = Object.entries(parts).flatMap(([part, name]) => (shows[part as keyof typeof parts] ? [name] : []));
  return `Can view ${names.join(', ')}`;
}

/** The share links of all users: shows admins who can view interviews from outside, and lets them revoke links. */
export default function ShareLinksScreen() {
  const query = useShareLinksQuery(undefined, { refetchOnMountOrArgChange: true });
  const [revoke] = useRevokeShareLinkMutation();
  const [revokeAll, { isLoading }] = useRevokeAllShareLinksMutation();
  const all = useConfirm<number>();
  const failure = failureOf([query, 'Failed to load the share links']);
  const { data } = query;

  const done = async (call: Promise<unknown>, success: string, failed: string) => {
    try {
      await call;
      toast.success(success);
    } catch (error) {
      toast.error(errorMessage(error, failed));
    }
    await query.refetch();
  };
  const confirm = async () => {
    await done(revokeAll().unwrap(), 'All links revoked', 'Failed to revoke the links');
    all.close();
  };

  return (
    <Screen
      title="Share Links"
      lead="Links with which people without an account view interviews."
      actions={
        data &&
        data.total > 0 && (
          <Button
            variant="light"
            color="red"
            leftSection={<IconLinkOff size={16} stroke={1.5} aria-hidden />}
            onClick={() => all.ask(data.total)}
          >
            Revoke all links
          </Button>
        )
      }
    >
      <Stack gap="lg">
        {!data && (failure ? <LoadFailure {...failure} /> : <ListSkeleton label="Loading the share links…" />)}
        {data && failure && <PartFailure {...failure} />}
        {data?.enabled === false && <Text size="sm">Sharing is turned off on this server. No link works.</Text>}
        {data?.shares.length === 0 && (
          <Notice icon={<IconLinkOff size={32} stroke={1.5} />} title="No active links">
            Links that users create for their interviews appear here.
          </Notice>
        )}
        {data && data.shares.length > 0 && (
          <ul className={bordered.list} aria-label="Share links">
            {data.shares.map((share) => (
              <li key={share.id} className={`${rows.row} ${rows.padded}`}>
                <div className={rows.what}>
                  <Anchor component={Link} to={paths.interviewDetail(share.interviewId)} fw={550}>
                    {share.title}
                  </Anchor>
                  <Text size="sm">{share.email ?? unknowns.email}</Text>
                  <Text size="sm" c="dimmed">
                    {accessOf(share)} · Created {detailDate(share.createdAt)} · Expires {detailDate(share.expiresAt)}
                  </Text>
                </div>
                <IconAction
                  color="red"
                  aria-label={`Revoke the link to ${share.title} of ${share.email ?? unknowns.email}`}
                  onClick={() =>
                    void done(
                      revoke({ id: share.id }).unwrap(),
                      `The link to “${share.title}” of ${share.email ?? unknowns.email} was revoked`,
                      'Failed to revoke the link',
                    )
                  }
                >
                  <IconTrash size={18} stroke={1.5} aria-hidden />
                </IconAction>
              </li>
            ))}
          </ul>
        )}
        {data && data.total > data.shares.length && (
          <Text size="sm" c="dimmed">
            The newest {data.shares.length} of {data.total} links
          </Text>
        )}
      </Stack>
      <ConfirmDialog
        opened={all.opened}
        title="Revoke all links?"
        confirmLabel={`Revoke ${countOf(all.about ?? 0, 'link')}`}
        busy={isLoading}
        onConfirm={() => void confirm()}
        onCancel={all.close}
      >
        People who have one of these links can no longer view the interview. Users can create new links.
      </ConfirmDialog>
    </Screen>
  );
}
