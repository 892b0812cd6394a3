import { Anchor } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '../lib/paths.ts';
import { Logo } from './bare-card.tsx';
import classes from './brand-link.module.css';

/** The product's mark and name, linked to the home page, for pages without a navigation bar. */
export function BrandLink() {
  return (
    <Anchor
      component={Link}
      to={paths.home}
      className={classes.brand ?? ''}
      c="var(--mantine-color-text)"
      underline="never"
    >
      <Logo />
      Interview Preparation Platform
    </Anchor>
  );
}
