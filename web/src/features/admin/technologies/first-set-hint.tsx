import { Button, Paper } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { paths } from '../../../lib/paths.ts';
import classes from './technologies-screen.module.css';

/** Leads an admin with technologies but no sets to the first interview set. */
export function FirstSetHint() {
  return (
    <Paper withBorder bg="var(--surface)" p="md" className={classes.next}>
      <div>
        <strong>Next: the first interview set.</strong> You have a technology. Now write the questions.
      </div>
      <Button component={Link} to={paths.newSet} rightSection={<IconArrowRight size={16} aria-hidden />}>
        Add Interview Set
      </Button>
    </Paper>
  );
}
