import type { Detail, Resource } from './client.ts';

/** The data that was readable when the data folder's release was stopped: `expected.json` in the archive. */
export interface Expected {
  password: string;
  /** Other users who can sign in, by email. */
  passwords: Record<string, string>;
  users: (Resource & { email: string; lastLogin: string | null })[];
  technologies: Resource[];
  interviewSets: Resource[];
  practiceSets: Resource[];
  /** Interview history entries, as seen by the admin. */
  interviews: Resource[];
  practices: Resource[];
  details: Record<string, Detail>;
  /** The path of the detail of an answer whose transcription was still pending. */
  pending: string;
  /** The path of the detail of an answer that failed permanently. */
  failed: string;
  /** Written while no events could be queued: known only to the owning service. */
  unpublished: { setTitle: string; interview: string };
}
