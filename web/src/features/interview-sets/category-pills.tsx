import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import type { Category } from './category-filter.ts';
import classes from './category-pills.module.css';

interface CategoryPillsProps {
  categories: readonly Category[];
  chosen: string;
  onChoose: (slug: string) => void;
}

/** Technologies as pills with their counts; one is chosen. On a phone the row scrolls sideways. */
export function CategoryPills({ categories, chosen, onChoose }: CategoryPillsProps) {
  return (
    <fieldset className={classes.pills}>
      <VisuallyHidden component="legend">Category</VisuallyHidden>
      {categories.map(({ slug, label, count }) => (
        <UnstyledButton
          key={slug}
          className={classes.pill}
          aria-pressed={slug === chosen}
          onClick={() => onChoose(slug)}
        >
          {label} <span className={classes.count}>{count}</span>
        </UnstyledButton>
      ))}
    </fieldset>
  );
}
