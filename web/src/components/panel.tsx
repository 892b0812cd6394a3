import { Paper } from '@mantine/core';

/** A bordered surface: a card or a section that stands apart from the page. */
export const Panel = Paper.withProps({ withBorder: true, radius: 'lg', bg: 'var(--surface)' });
