import type { LtiPlatform } from '@interview-prep/contracts/auth/lti';
import { type Connection, Schema, type Types } from 'mongoose';
import type { Deliverable } from '../outbound/deliver-due.ts';
import { identityKey } from '../users/identity-key.ts';

/** A learning platform that an admin has registered. */
export interface StoredPlatform extends Omit<LtiPlatform, 'id' | 'createdAt' | 'courseCount'> {
  _id: Types.ObjectId;
  createdAt: Date;
}

/** A course of a platform. Its people are in a group. */
export interface StoredCourse {
  _id: Types.ObjectId;
  platformId: Types.ObjectId;
  deploymentId: string;
  /** The platform's id for the course. */
  contextId: string;
  title: string;
  groupId: string;
  /** The platform's URL for the member list. */
  membershipsUrl?: string;
  memberUpdate?: {
    startedAt: Date;
    endedAt: Date | null;
    added: number;
    known: number;
    skipped: { who: string; reason: string }[];
    fault: string | null;
  };
}

/** An activity of a course, and the assignment that it opens. */
interface StoredLink {
  _id: Types.ObjectId;
  courseId: Types.ObjectId;
  /** The platform's id for the activity. */
  resourceLinkId: string;
  assignmentId: string | null;
  title: string;
  /** The gradebook column; absent if the activity isn't graded. */
  lineItemUrl?: string;
}

/** A launch in progress in one window. MongoDB deletes it when it expires. */
export interface StoredLaunch {
  /** SHA-256 of the window's secret. */
  _id: string;
  platformId: Types.ObjectId;
  /** SHA-256 of the `state` that the platform returns. */
  stateHash: string;
  nonce: string;
  /** SHA-256 of the secret of the frame that waits for the choice. */
  frameHash?: string;
  /** When the platform's response arrived. Only one is accepted. */
  answeredAt?: Date;
  /** The checked `LaunchClaims` as JSON. */
  claims?: string;
  finishedAt?: Date;
  userId?: string;
  linkId?: Types.ObjectId | null;
  courseId?: Types.ObjectId;
  chosen?: { assignmentId: string; title: string };
  expiresAt: Date;
}

/** A member's latest score for an activity, to be sent to the platform's gradebook. */
export interface StoredScore extends Deliverable {
  linkId: Types.ObjectId;
  courseId: Types.ObjectId;
  userId: string;
  score: number;
  isComplete: boolean;
  /** When it was calculated: an older score never replaces a newer one. */
  scoredAt: Date;
}

const text = { type: String, required: true } as const;
const id = { type: Schema.Types.ObjectId, required: true } as const;

const platformSchema = new Schema<StoredPlatform>(
  {
    name: text,
    issuer: text,
    clientId: text,
    authorizationUrl: text,
    tokenUrl: text,
    keysUrl: text,
    deploymentIds: { type: [String], required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'lti_platforms', versionKey: false },
);
platformSchema.index({ issuer: 1, clientId: 1 }, { unique: true });

const courseSchema = new Schema<StoredCourse>(
  {
    platformId: id,
    deploymentId: text,
    contextId: text,
    title: text,
    groupId: text,
    membershipsUrl: { type: String },
    memberUpdate: {
      type: new Schema(
        {
          startedAt: Date,
          endedAt: Date,
          added: Number,
          known: Number,
          skipped: { type: [new Schema({ who: String, reason: String }, { _id: false })] },
          fault: String,
        },
        { _id: false },
      ),
    },
  },
  { collection: 'lti_courses', versionKey: false },
);
courseSchema.index({ platformId: 1, deploymentId: 1, contextId: 1 }, { unique: true });
courseSchema.index({ groupId: 1 });

const linkSchema = new Schema<StoredLink>(
  {
    courseId: id,
    resourceLinkId: text,
    assignmentId: { type: String, default: null },
    title: { type: String, default: '' },
    lineItemUrl: { type: String },
  },
  { collection: 'lti_links', versionKey: false },
);
linkSchema.index({ courseId: 1, resourceLinkId: 1 }, { unique: true });
linkSchema.index({ assignmentId: 1 });

const launchSchema = new Schema<StoredLaunch>(
  {
    _id: text,
    platformId: id,
    stateHash: text,
    nonce: text,
    frameHash: { type: String },
    answeredAt: { type: Date },
    claims: { type: String },
    finishedAt: { type: Date },
    userId: { type: String },
    linkId: { type: Schema.Types.ObjectId },
    courseId: { type: Schema.Types.ObjectId },
    chosen: { type: new Schema({ assignmentId: String, title: String }, { _id: false }) },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'lti_launches', versionKey: false },
);
launchSchema.index({ stateHash: 1 }, { unique: true });
launchSchema.index({ frameHash: 1 }, { sparse: true });
launchSchema.index({ userId: 1 }, { sparse: true });
launchSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const scoreSchema = new Schema<StoredScore>(
  {
    linkId: id,
    courseId: id,
    userId: text,
    score: { type: Number, required: true },
    isComplete: { type: Boolean, required: true },
    scoredAt: { type: Date, required: true },
    attempts: { type: Number, required: true, default: 0 },
    dueAt: { type: Date },
    lastAt: { type: Date },
    outcome: { type: String },
    deliveredAt: { type: Date },
  },
  { collection: 'lti_scores', versionKey: false },
);
scoreSchema.index({ linkId: 1, userId: 1 }, { unique: true });
scoreSchema.index({ courseId: 1, scoredAt: -1 });
scoreSchema.index({ userId: 1 });
scoreSchema.index({ dueAt: 1 }, { sparse: true });

export type LtiModels = ReturnType<typeof ltiModels>;

export function ltiModels(connection: Connection) {
  return {
    platforms: connection.model<StoredPlatform>('LtiPlatform', platformSchema),
    courses: connection.model<StoredCourse>('LtiCourse', courseSchema),
    links: connection.model<StoredLink>('LtiLink', linkSchema),
    launches: connection.model<StoredLaunch>('LtiLaunch', launchSchema),
    scores: connection.model<StoredScore>('LtiScore', scoreSchema),
  };
}

/** The prefix of a platform's identities, which keeps them separate from a sign-in provider's even if the issuer is the same. */
export function ltiPrefix(issuer: string): string {
  return `lti ${identityKey(issuer, '')}`;
}

/** Identifies a person by issuer and `sub`: email addresses get reassigned. */
export function ltiIdentity({ issuer }: Pick<StoredPlatform, 'issuer'>, sub: string): string {
  return ltiPrefix(issuer) + sub;
}
