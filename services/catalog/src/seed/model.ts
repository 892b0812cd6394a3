import { type Connection, type Model, Schema } from 'mongoose';

/** A piece of demonstration data that has been loaded: it is never loaded again, whatever became of it. */
export interface LoadedSeed {
  _id: string;
  loadedAt: Date;
}

const schema = new Schema<LoadedSeed>(
  { _id: { type: String, required: true }, loadedAt: { type: Date, required: true } },
  { collection: 'seeds' },
);

export const loadedSeedModel = (connection: Connection): Model<LoadedSeed> => connection.model('Seed', schema);
