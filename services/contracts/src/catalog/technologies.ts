import { z } from 'zod';
import { idParams, requiredText } from '../api/fields.ts';
import { limits } from '../api/limits.ts';
import { routesOf } from '../api/route.ts';

export const Technology = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  /** The version for If-Match. */
  version: z.string().optional(),
});
export type Technology = z.infer<typeof Technology>;

export const TechnologyName = z.object({
  name: requiredText('Technology name', limits.nameMaxLength, 'Technology name cannot be empty'),
});

/** Shown for a set whose technology was deleted. The history omits its sessions. */
export const unknownTechnology = 'Unknown Technology';

/** Combining marks that NFKD separates from Latin letters. Marks of other scripts are parts of letters and stay. */
const accents = /[\u0300-\u036f]/g;

/**
 * The slug of a technology's name: 'Node.js' → 'node-js', 'C++' → 'c-plus-plus', 'C#' → 'c-sharp', 'Élan' → 'elan'.
 * @returns '' if no letter or digit is left
 */
export function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(accents, '')
    .replaceAll('+', ' plus ')
    .replaceAll('#', ' sharp ')
    .replaceAll('&', ' and ')
    .replace(/[^\p{Letter}\p{Number}\p{Mark}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .normalize('NFC');
}

const catalog = routesOf('catalog');
const technologyResult = z.object({ technology: Technology });

/** Routes of technologies. See docs/specification.md, section 7. */
export const technologyRoutes = {
  listTechnologies: catalog.get('/api/technologies', 'anyone', {
    summary: 'All technologies, sorted by name',
    description: 'Other calls identify a technology by its slug.',
    result: z.object({ technologies: z.array(Technology) }),
    revalidated: true,
  }),
  createTechnology: catalog.post('/api/technologies', 'admin', {
    scopes: ['sets:manage'],
    summary: 'Add a technology',
    description: 'The slug is derived from the name and never changes.',
    body: TechnologyName,
    status: 201,
    result: technologyResult,
    errorStatuses: [409],
    audit: { action: 'technology.create' },
  }),
  updateTechnology: catalog.put('/api/technologies/:id', 'admin', {
    scopes: ['sets:manage'],
    summary: 'Rename a technology; the slug stays',
    description: 'Sets and users keep their technology, since they refer to its slug.',
    params: idParams,
    body: TechnologyName,
    result: technologyResult,
    errorStatuses: [404, 409],
    versioned: true,
    audit: { action: 'technology.update', target: 'technology' },
  }),
  deleteTechnology: catalog.delete('/api/technologies/:id', 'admin', {
    scopes: ['sets:manage'],
    summary: 'Delete a technology',
    description: 'Its sets are kept, and show the technology as unknown.',
    params: idParams,
    errorStatuses: [404],
    audit: { action: 'technology.delete', target: 'technology' },
  }),
};
