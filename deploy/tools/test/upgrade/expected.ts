import type { Detail, Resource } from './client.ts';

/** What was readable in a data folder when its release was stopped: `expected.json` in the archive. */
export interface Expected {
  /** The password of the demonstration users. */
  password: string;
  /** Other users who can sign in, by email. */
  passwords: Record<string, string>;
  users: (Resource & { email: string; lastLogin: string | null })[];
  technologies: Resource[];
  interviewSets: Resource[];
  practiceSets: Resource[];
  /** Interview history entries, as the admin reads them. */
  interviews: Resource[];
  practices: Resource[];
  /** By the path at which each detail is read. */
  details: Record<string, Detail>;
  /** Path of the detail of an answer whose transcription was still pending. */
  pending: string;
  /** Path of the detail of an answer that failed for good. */
  failed: string;
  /** Written while no event could be queued: known to its own service only. */
  unpublished: { setTitle: string; interview: string };
}
