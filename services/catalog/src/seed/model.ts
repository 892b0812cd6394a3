import { type Connection, type Model, Schema } from 'mongoose';

/** A demonstration record that was loaded. It is never loaded again, even after it was deleted. */
export interface LoadedSeed {
  _id: string;
  loadedAt: Date;
}

const schema = new Schema<LoadedSeed>(
  { _id: { type: String, required: true }, loadedAt: { type: Date, required: true } },
  { collection: 'seeds' },
);

export function loadedSeedModel(connection: Connection): Model<LoadedSeed> {
  return connection.model('Seed', schema);
}
