import { Text } from '@mantine/core';
import type { FileError } from '../lib/csv.ts';
import classes from './import-lists.module.css';

export function FileErrorList({ errors }: { errors: readonly FileError[] }) {
  return (
    <ul className={classes.list} aria-label="Errors in the file">
      {errors.map(({ place, message }, index) => {
        // Errors may repeat, so the index is the key.
        const key = `${index}`;
        return (
          <li key={key} className={classes.error}>
            <Text size="sm" fw={600} flex="none" w={168} className="tabular">
              {place}
            </Text>
            <Text size="sm">{message}</Text>
          </li>
        );
      })}
    </ul>
  );
}
