import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { BareCard } from '../../components/bare-card.tsx';
import { paths } from '../../lib/paths.ts';

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
