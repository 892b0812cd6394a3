import { unknownTechnology } from '@interview-prep/contracts/technologies';
import type { TechnologyModel } from './model.ts';

/** Gives a technology's name for its slug; 'Unknown Technology' where it is deleted. */
export type TechnologyNames = (slug: string) => string;

/** The names as they are now: sets keep the slug only, so a rename shows at once. */
export async function technologyNames(model: TechnologyModel): Promise<TechnologyNames> {
  const existing = await model.find({ deletedAt: null }, 'name slug').lean();
  const names = new Map(existing.map(({ slug, name }) => [slug, name]));
  return (slug) => names.get(slug) ?? unknownTechnology;
}
