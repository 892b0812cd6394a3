import { unknownTechnology } from '@interview-prep/contracts/catalog/technologies';
import { followChanges, type Published, publishedFields } from '@interview-prep/kit/redis/outbox';
import { type Connection, type HydratedDocument, type Model, Schema, type Types } from 'mongoose';

/** Returns a technology's name by its slug; 'Unknown Technology' for a deleted one. */
export type TechnologyNames = (slug: string) => string;

/** Loads the current names. Sets store only the slug, so a rename shows at once. */
export async function technologyNames(model: TechnologyModel): Promise<TechnologyNames> {
  const existing = await model.find({ deletedAt: null }, 'name slug').lean();
  const names = new Map(existing.map(({ slug, name }) => [slug, name]));
  return (slug) => names.get(slug) ?? unknownTechnology;
}

/**
 * Normalises a technology's name for comparing: case, width, spaces and invisible characters make no difference.
 * @returns '' for a name without visible characters
 */
export function nameKey(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Cc}]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
    .toLowerCase();
}

/** A stored technology. A deleted one stays as a tombstone, so that revisions only grow. */
export interface TechnologyRecord extends Published {
  _id: Types.ObjectId;
  name: string;
  /** The normalised name; unique among the technologies that are not deleted. */
  nameKey: string;
  /** Assigned once, kept by a rename; unique among the technologies that are not deleted. */
  slug: string;
  deletedAt: Date | null;
  /** Who saved the last change, by value. */
  updatedBy: { email: string } | null;
  createdAt: Date;
  updatedAt: Date;
}

export type TechnologyDocument = HydratedDocument<TechnologyRecord>;
export type TechnologyModel = Model<TechnologyRecord>;

const schema = new Schema<TechnologyRecord>(
  {
    name: { type: String, required: true },
    nameKey: { type: String, required: true },
    slug: { type: String, required: true },
    deletedAt: { type: Date, default: null },
    updatedBy: { type: new Schema({ email: { type: String, required: true } }, { _id: false }), default: null },
    ...publishedFields,
  },
  { timestamps: true, collection: 'technologies' },
);
const existing = { partialFilterExpression: { deletedAt: null } };
schema.index({ nameKey: 1 }, { unique: true, ...existing });
schema.index({ slug: 1 }, { unique: true, ...existing });
followChanges(schema);

export function technologyModel(connection: Connection): TechnologyModel {
  return connection.model('Technology', schema);
}
