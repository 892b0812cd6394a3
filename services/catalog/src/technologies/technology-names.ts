import { unknownTechnology } from '@interview-prep/contracts/catalog/technologies';
import type { TechnologyModel } from './model.ts';

/** Returns a technology's name by its slug; 'Unknown Technology' for a deleted one. */
export type TechnologyNames = (slug: string) => string;

/** Loads the current names. Sets store only the slug, so a rename shows at once. */
export async function technologyNames(model: TechnologyModel): Promise<TechnologyNames> {
  const existing = await model.find({ deletedAt: null }, 'name slug').lean();
  const names = new Map(existing.map(({ slug, name }) => [slug, name]));
  return (slug) => names.get(slug) ?? unknownTechnology;
}
