import type { LtiPlace } from '@interview-prep/contracts/auth/lti';
import { ltiAttemptKey } from '@interview-prep/contracts/auth/lti-attempt-key';
import { paths } from './paths.ts';

/** Separate from the attempt, which is used once: this one survives a reload, and a sign-in on a provider's page. */
const waitingKey = 'lti-launch';

/** A launch that waits for its user: to link an account while `place` is null, else to choose an assignment. */
export interface WaitingLaunch {
  attempt: string;
  place: LtiPlace | null;
}

function read(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Takes the secret that the launch's login left in this window, once; null if none was begun. */
export function takeLaunchAttempt(): string | null {
  const attempt = read(ltiAttemptKey);
  if (attempt !== null) sessionStorage.removeItem(ltiAttemptKey);
  return attempt;
}

/** The pending launch of this window, if any. */
export function waitingLaunch(): WaitingLaunch | null {
  const stored = read(waitingKey);
  // Only this module writes it.
  return stored === null ? null : (JSON.parse(stored) as WaitingLaunch);
}

/** Keeps a launch until its account is linked. */
export function awaitLink(attempt: string): void {
  sessionStorage.setItem(waitingKey, JSON.stringify({ attempt, place: null }));
}

/** The target page of a finished launch; null until the teacher has chosen an assignment. */
export function followLaunch(attempt: string, place: LtiPlace): string | null {
  const { kind, groupId, assignmentId } = place;
  sessionStorage.removeItem(waitingKey);
  if (kind === 'choose') {
    sessionStorage.setItem(waitingKey, JSON.stringify({ attempt, place }));
    return paths.ltiChoose;
  }
  if (assignmentId === null) return null;
  return kind === 'roster' ? paths.roster(groupId, assignmentId) : paths.group(groupId, assignmentId);
}
