import type { Technology } from '@interview-prep/contracts/technologies';
import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '../../lib/paths.ts';

/** The next step for an admin without any set: add a technology, then a set for it. */
export function FirstStep({ technologies }: { technologies: readonly Technology[] }) {
  const [path, label] =
    technologies.length === 0 ? [paths.technologies, 'Add a technology'] : [paths.newSet, 'Add Interview Set'];
  return (
    <Button component={Link} to={path}>
      {label}
    </Button>
  );
}
