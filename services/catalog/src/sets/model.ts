import { type TimingField, timingFieldNames, timingFields } from '@interview-prep/contracts/catalog/answer-timing';
import type { ExpertPoint } from '@interview-prep/contracts/catalog/expert-points';
import { SetOptions, SetStatus } from '@interview-prep/contracts/catalog/sets';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import type { EditedFields } from '@interview-prep/kit/http/edit-version';
import { expertPointsField, setOptionFields } from '@interview-prep/kit/mongo/set-fields';
import { followChanges, type Published, publishedFields } from '@interview-prep/kit/redis/outbox';
import { type Connection, type HydratedDocument, type Model, Schema, type Types } from 'mongoose';

/** The times of an interview set, in seconds; null or absent if not set. */
export type SetTiming = { [Field in TimingField]?: number | null | undefined };

/** The options of a set; null or absent if not set. */
export type StoredOptions = { [Option in keyof SetOptions]?: SetOptions[Option] | null };

/** An interview set or a practice set. Deleted ones stay as tombstones, so that the deletion can be published. */
export interface SetRecord extends Published, SetTiming, Omit<StoredOptions, keyof SetTiming> {
  _id: Types.ObjectId;
  kind: SessionKind;
  title: string;
  /** Stays when the technology is deleted: adding the same name again restores the link. */
  technologySlug: string;
  questions: string[];
  /** Parallel to `questions`; '' for a question without an expert answer. */
  answers: string[];
  /** The points of each answer, parallel to `questions`: the criteria for judging spoken answers. */
  expertPoints: ExpertPoint[][];
  tags: string[];
  status: SetStatus;
  /** When it stopped being published; the epoch if it never was. Null while it is published. */
  closedAt: Date | null;
  /** A copy of the creator's email: sets outlive their creators. */
  createdBy: { email: string } | null;
  /** Who saved the last change; null if unchanged since its creation. */
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

/** The editable fields of a set, in the form that `versionOf` takes. */
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
