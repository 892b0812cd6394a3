import { type TimingField, timingFieldNames, timingFields } from '@interview-prep/contracts/catalog/answer-timing';
import type { ExpertPoint } from '@interview-prep/contracts/catalog/expert-points';
import { SetOptions, SetStatus } from '@interview-prep/contracts/catalog/sets';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import type { EditedFields } from '@interview-prep/kit/http/edit-version';
import { expertPointsField, setOptionFields } from '@interview-prep/kit/mongo/set-fields';
import { followChanges, type Published, publishedFields } from '@interview-prep/kit/redis/outbox';
import { type Connection, type HydratedDocument, type Model, Schema, type Types } from 'mongoose';

/** The times of an interview set, in seconds; null or absent where they are off. */
export type SetTiming = { [Field in TimingField]?: number | null | undefined };

/** The options of a set; null or absent where the set does not say. */
export type StoredOptions = { [Option in keyof SetOptions]?: SetOptions[Option] | null };

/** An interview set or a practice set. A deleted one stays as a tombstone, so that its deletion can be published. */
export interface SetRecord extends Published, SetTiming, Omit<StoredOptions, keyof SetTiming> {
  _id: Types.ObjectId;
  kind: SessionKind;
  title: string;
  /** Stays when the technology is deleted: the same name added again finds its sets. */
  technologySlug: string;
  questions: string[];
  /** Parallel to `questions`; '' for a question without an expert answer. */
  answers: string[];
  /** The points of each answer, parallel to `questions`: what spoken answers are judged by. */
  expertPoints: ExpertPoint[][];
  tags: string[];
  status: SetStatus;
  /** Since when it is not published any more; the beginning of time for what never was. Null while it is published. */
  closedAt: Date | null;
  /** The creator by value: a set outlives its creator. */
  createdBy: { email: string } | null;
  /** Who saved the last change; null if it is unchanged since its creation. */
  updatedBy: { email: string } | null;
  deletedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

export type SetDocument = HydratedDocument<SetRecord>;
export type SetModel = Model<SetRecord>;

const person = { type: new Schema({ email: { type: String, required: true } }, { _id: false }), default: null };

const schema = new Schema<SetRecord>(
  {
    kind: { type: String, required: true, enum: ['interview', 'practice'] },
    title: { type: String, required: true },
    technologySlug: { type: String, required: true },
    questions: { type: [String], required: true },
    answers: { type: [String], required: true },
    expertPoints: { ...expertPointsField, required: true },
    tags: { type: [String], required: true },
    ...setOptionFields,
    ...Object.fromEntries(timingFieldNames.map((field) => [field, Number])),
    status: { type: String, required: true, enum: SetStatus.options, default: 'published' },
    closedAt: { type: Date, default: null },
    createdBy: person,
    updatedBy: person,
    deletedAt: { type: Date, default: null },
    ...publishedFields,
  },
  { timestamps: true, collection: 'sets' },
);
schema.index({ kind: 1, deletedAt: 1, createdAt: -1, _id: -1 });
schema.index({ technologySlug: 1 });
followChanges(schema);

/** What an admin edits of a set, as `versionOf` takes it. */
export function editedFieldsOf(set: SetRecord): EditedFields {
  const { title, technologySlug: technology, questions, answers, expertPoints, tags, status } = set;
  const options = Object.keys({ ...SetOptions.shape, ...timingFields }) as (keyof SetOptions | TimingField)[];
  return {
    title,
    technology,
    questions,
    [set.kind === 'interview' ? 'expertAnswers' : 'answers']: answers,
    points: expertPoints,
    tags,
    status,
    ...Object.fromEntries(options.map((name) => [name, set[name]])),
  };
}

export function setModel(connection: Connection): SetModel {
  return connection.model<SetRecord>('Set', schema);
}
