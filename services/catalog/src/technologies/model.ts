import { unknownTechnology } from '@interview-prep/contracts/catalog/technologies';
import { followChanges, type Published, publishedFields } from '@interview-prep/kit/redis/outbox';
import { type Connection, type HydratedDocument, type Model, Schema, type Types } from 'mongoose';

/** Maps a slug to the technology's name; 'Unknown Technology' for a deleted one. */
export type TechnologyNames = (slug: string) => string;

/** Loads the current names. Sets store only the slug, so that renames apply at once. */
export async function technologyNames(model: TechnologyModel): Promise<TechnologyNames> {
  const existing = await model.find({ deletedAt: null }, 'name slug').lean();
  const names = new Map(existing.map(({ slug, name }) => [slug, name]));
  return (slug) => names.get(slug) ?? unknownTechnology;
}

/**
 * Normalizes a technology's name for comparison: case, width, spaces and invisible characters are ignored.
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

/** A stored technology. Deleted ones stay as tombstones, so that revisions only grow. */
export interface TechnologyRecord extends Published {
  _id: Types.ObjectId;
  name: string;
  /** The normalized name; unique among technologies that are not deleted. */
  nameKey: string;
  /** Assigned once, unchanged by renames; unique among technologies that are not deleted. */
  slug: string;
  deletedAt: Date | null;
  /** The email of whoever saved the last change. */
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
