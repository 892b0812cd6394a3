import { Alert, Anchor } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { BareCard } from '../../components/bare-card.tsx';
import { paths } from '../../lib/paths.ts';

/** Focuses the first invalid field after each failed attempt. */
export function useErrorFocus(attempts: number): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (attempts > 0) form.current?.querySelector<HTMLElement>('input[aria-invalid="true"]')?.focus();
  }, [attempts]);
  return form;
}

interface FormRefusalProps {
  /** The server's message, or the fallback. */
  reason: string;
  /** What to do instead of retrying, if anything. */
  children?: ReactNode;
}

/** The server's error for a form. */
export function FormRefusal({ reason, children }: FormRefusalProps) {
  return (
    <Alert role="alert" color="orange" title={reason} icon={<IconAlertTriangle />}>
      {children}
    </Alert>
  );
}

interface AccountCardProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}

/** A card like the login screen's, with a link back to it. */
export function AccountCard(card: AccountCardProps) {
  return (
    <BareCard
      {...card}
      foot={
        <Anchor component={Link} to={paths.home}>
          Back to login
        </Anchor>
      }
    />
  );
}
