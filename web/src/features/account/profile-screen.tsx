import { plans } from '@interview-prep/contracts/auth/plans';
import type { User } from '@interview-prep/contracts/auth/users';
import { Alert, Anchor, Badge, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { failureOf, PartFailure } from '../../components/load-failure.tsx';
import { Screen } from '../../components/screen.tsx';
import { DetailDate } from '../../components/times.tsx';
import { errorMessage } from '../../lib/api/api-error.ts';
import { useListGroupsQuery } from '../../lib/api/groups-api.ts';
import { useListTechnologiesQuery } from '../../lib/api/sets-api.ts';
import { roleName } from '../../lib/formats.ts';
import { fallbacks, unknowns } from '../../lib/messages.ts';
import { paths } from '../../lib/paths.ts';
import { selectUser } from '../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../lib/state/state-hooks.ts';
import { toast } from '../../lib/toasts.ts';
import { useDataDownload } from '../../lib/use-data-download.ts';
import { useChooseMailsMutation, useGetMeQuery } from './account-api.ts';
import formClasses from './account-form.module.css';
import { CalendarAddress } from './calendar-address.tsx';
import { DeleteAccount } from './delete-account.tsx';
import classes from './profile-screen.module.css';
import { TechnologiesDialog } from './technologies-dialog.tsx';

const onByDefault: readonly string[] = ['assignmentMail'];
const mailChoices = {
  reviewMail: { label: 'Email me when a reviewer scores my answer', description: 'For reviews you requested.' },
  assignmentMail: {
    label: 'Email me about assigned work',
    description: 'When it is new or changed, and 48 and 2 hours before it is due.',
  },
  appealMail: {
    label: 'Email me when an answer is waiting for a review',
    description: 'For admins and coaches. At most one email every five minutes.',
  },
} as const;

/** A checkbox for a kind of mail. Saved at once. */
function MailChoice({ user, about }: { user: User; about: keyof typeof mailChoices }) {
  const [choose, { isLoading, originalArgs, data = user }] = useChooseMailsMutation();
  const isDefault = onByDefault.includes(about);
  const save = async (isOn: boolean) => {
    try {
      const { [about]: saved = isDefault } = await choose({ [about]: isOn }).unwrap();
      toast.success(saved ? 'Email notifications are on' : 'Email notifications are off');
    } catch (error) {
      toast.error(errorMessage(error, fallbacks.updateUser));
    }
  };
  return (
    <Checkbox
      {...mailChoices[about]}
      checked={(isLoading ? originalArgs : data)?.[about] ?? isDefault}
      onChange={(event) => {
        // Allow one change at a time; a disabled checkbox would lose the focus.
        if (!isLoading) void save(event.currentTarget.checked);
      }}
    />
  );
}

/** Source: product specification, section 2, route /profile. Shows the stored user at once, then the server's response. */
export default function ProfileScreen() {
  const known = useAppSelector(selectUser);
  const { data, error, refetch, isFetching } = useGetMeQuery(undefined, { refetchOnMountOrArgChange: true });
  const isCoach = useListGroupsQuery().data?.some(({ role }) => role === 'coach');
  const technologiesQuery = useListTechnologiesQuery();
  const technologiesFailure = failureOf([technologiesQuery, fallbacks.fetchTechnologies]);
  const navigate = useNavigate();
  const dataDownload = useDataDownload();
  const [isChoosing, setIsChoosing] = useState(false);
  const user = data?.user ?? known;
  if (!user) return null;

  /** Goes back within the app; a page opened directly has no history, so it goes home. */
  const goBack = () => {
    const { idx } = (window.history.state ?? {}) as { idx?: number };
    void (idx ? navigate(-1) : navigate(paths.home));
  };
  const nameOf = (slug: string) => technologiesQuery.data?.find((technology) => technology.slug === slug)?.name ?? slug;
  const plan = plans.find(({ id }) => id === user.plan)?.name;

  return (
    <Screen width="form" title="My Profile">
      {error && (
        <Alert
          color="orange"
          role="alert"
          icon={<IconCloudOff />}
          title={errorMessage(error, fallbacks.fetchData)}
          mb="md"
        >
          <Text size="sm">These are your details as of your last sign-in.</Text>
          <Button size="xs" variant="default" mt="sm" loading={isFetching} onClick={refetch}>
            Try again
          </Button>
        </Alert>
      )}
      {technologiesFailure && user.technologies.length > 0 && <PartFailure mb="md" {...technologiesFailure} />}
      <dl className={`${formClasses.card} ${classes.facts}`}>
        <Fact name="Email">{user.email || unknowns.email}</Fact>
        <Fact name="Role">{roleName(user.role)}</Fact>
        <Fact name="Technologies" onChange={technologiesQuery.data && (() => setIsChoosing(true))}>
          {user.technologies.length === 0 ? (
            'None'
          ) : (
            <Group gap={6}>
              {user.technologies.map((slug) => (
                <Badge key={slug} variant="default" tt="none" fw={500}>
                  {nameOf(slug)}
                </Badge>
              ))}
            </Group>
          )}
        </Fact>
        {plan && (
          <Fact name="Plan" change={paths.payment}>
            {plan}
          </Fact>
        )}
        <Fact name="Account created">
          <DetailDate at={user.createdAt} />
        </Fact>
        <Fact name="Last login">{user.lastLogin ? <DetailDate at={user.lastLogin} /> : 'Never'}</Fact>
      </dl>
      {data?.sendsMail && (
        <div className={`${formClasses.card} ${classes.choice}`}>
          <Stack gap="md">
            <MailChoice user={user} about="reviewMail" />
            <MailChoice user={user} about="assignmentMail" />
            {(user.role === 'admin' || isCoach) && <MailChoice user={user} about="appealMail" />}
          </Stack>
        </div>
      )}
      <div className={`${formClasses.card} ${classes.choice}`}>
        <CalendarAddress />
      </div>
      <div className={formClasses.actions}>
        <Button variant="default" onClick={goBack}>
          Go Back
        </Button>
        <Button component={Link} to={paths.changePassword}>
          Change Password
        </Button>
        <Button variant="default" loading={dataDownload.busy} onClick={() => dataDownload.download()}>
          Download my data
        </Button>
        <DeleteAccount userId={user.id} />
      </div>
      {isChoosing && technologiesQuery.data && (
        <TechnologiesDialog user={user} technologies={technologiesQuery.data} onClose={() => setIsChoosing(false)} />
      )}
    </Screen>
  );
}

interface FactProps {
  name: string;
  /** The page or dialog that changes it. */
  change?: string;
  onChange?: (() => void) | undefined;
  children: ReactNode;
}

function Fact({ name, change, onChange, children }: FactProps) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {change && (
        <dd>
          <Anchor component={Link} to={change} size="sm" aria-label={`Change ${name.toLowerCase()}`}>
            Change
          </Anchor>
        </dd>
      )}
      {onChange && (
        <dd>
          <Anchor
            component="button"
            type="button"
            size="sm"
            aria-label={`Change ${name.toLowerCase()}`}
            onClick={onChange}
          >
            Change
          </Anchor>
        </dd>
      )}
    </div>
  );
}
