import type { Technology } from '@interview-prep/contracts/catalog/technologies';
import { Anchor, Box, Chip, Text } from '@mantine/core';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { messages } from '../../../lib/messages.ts';
import { paths } from '../../../lib/paths.ts';
import classes from './technology-choice.module.css';

interface TechnologyChoiceProps {
  technologies: readonly Technology[];
  /** Slugs. */
  chosen: string[];
  onChange: (chosen: string[]) => void;
  error: string | undefined;
}

export function TechnologyChoice({ technologies, chosen, onChange, error }: TechnologyChoiceProps) {
  const errorId = useId();
  return (
    <fieldset className={classes.choice} aria-describedby={error && errorId}>
      <Box component="legend" p={0} mb={6} fz="md" fw={500}>
        Technologies
      </Box>
      {technologies.length === 0 ? (
        <Text size="sm">
          {messages.technologies.none}.{' '}
          <Anchor component={Link} to={paths.technologies} inherit>
            Add a technology
          </Anchor>
        </Text>
      ) : (
        <div className={classes.chips}>
          <Chip.Group multiple value={chosen} onChange={onChange}>
            {technologies.map(({ slug, name }) => (
              <Chip key={slug} value={slug} size="sm" variant="light">
                {name}
              </Chip>
            ))}
          </Chip.Group>
        </div>
      )}
      {error && (
        <Text id={errorId} size="sm" c="var(--mantine-color-error)" mt={6}>
          {error}
        </Text>
      )}
    </fieldset>
  );
}
