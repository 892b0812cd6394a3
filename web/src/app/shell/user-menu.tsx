import type { User } from '@interview-prep/contracts/auth/users';
import { Box, type MantineColorScheme, Menu, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import {
  IconChartLine,
  IconChevronDown,
  IconDeviceDesktop,
  IconLogout,
  IconMoon,
  IconShieldLock,
  IconStack2,
  IconSun,
  IconUser,
  IconUserQuestion,
} from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { paths } from '../../lib/paths.ts';
import { useLogout } from './logout-host.tsx';
import classes from './user-menu.module.css';

const schemes = [
  { value: 'auto', label: 'System', Icon: IconDeviceDesktop },
  { value: 'light', label: 'Light', Icon: IconSun },
  { value: 'dark', label: 'Dark', Icon: IconMoon },
] as const;

interface UserMenuProps {
  user: User;
  /** Whether the user reviews answers, as an admin or as a coach of a group. */
  reviews: boolean;
}

/** My Profile, My Progress, Answers to review (for reviewers), Queues (for admins), color scheme, Logout. */
export function UserMenu({ user, reviews }: UserMenuProps) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const logout = useLogout();

  return (
    <Menu width={240} withinPortal={false}>
      <Menu.Target>
        <UnstyledButton className={classes.target} aria-label={`Account menu for ${user.email}`}>
          <span className={classes.initial} aria-hidden>
            {user.email.slice(0, 1).toUpperCase()}
          </span>
          <IconChevronDown size={16} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Box py="xs" px="sm">
          <Text size="sm" fw={600} truncate>
            {user.email}
          </Text>
        </Box>
        <Menu.Item component={Link} to={paths.profile} leftSection={<IconUser size={16} aria-hidden />}>
          My Profile
        </Menu.Item>
        <Menu.Item component={Link} to={paths.progress} leftSection={<IconChartLine size={16} aria-hidden />}>
          My Progress
        </Menu.Item>
        <Menu.Item component={Link} to={paths.security} leftSection={<IconShieldLock size={16} aria-hidden />}>
          Sign-in and Security
        </Menu.Item>
        {reviews && (
          <Menu.Item component={Link} to={paths.appeals} leftSection={<IconUserQuestion size={16} aria-hidden />}>
            Answers to review
          </Menu.Item>
        )}
        {user.role === 'admin' && (
          <Menu.Item component={Link} to={paths.queues} leftSection={<IconStack2 size={16} aria-hidden />}>
            Queues
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Label>Appearance</Menu.Label>
        <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as MantineColorScheme)}>
          {schemes.map(({ value, label, Icon }) => (
            <Menu.RadioItem
              key={value}
              value={value}
              closeMenuOnClick={false}
              rightSection={<Icon size={16} aria-hidden />}
            >
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={logout}>
          Logout
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
