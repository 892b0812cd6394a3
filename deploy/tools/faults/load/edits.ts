import type { InterviewSet } from '@interview-prep/contracts/catalog/sets';
import type { Client } from './client.ts';
import type { Journal } from './journal.ts';

/** The edits of one set, whose title ends with the number of the edit. */
export interface Edits {
  readonly setId: string;
  acknowledged: number;
  sent: number;
}

const TITLE = 'Edit';
export function editNumberOf(title: string): number {
  return Number(title.replace(`${TITLE} `, ''));
}

/** Creates the set that the admin edits. @throws if it can't be created */
export async function createEditedSet(admin: Client, journal: Journal): Promise<Edits> {
  const operation = journal.begin(admin.email, 'edit', 'a new set');
  const body = contentOf(0);
  const answer = await admin.call(operation, { method: 'POST', path: '/api/interviews/sets', body });
  journal.end(operation, answer?.status === 201);
  const set = (answer?.body as { interviewSet?: InterviewSet } | undefined)?.interviewSet;
  if (!set) throw new Error(`Creating a set returned ${answer?.status}`);
  return { setId: set._id, acknowledged: 0, sent: 0 };
}

const contentOf = (number: number) => ({
  title: `${TITLE} ${number}`,
  technology: 'javascript',
  questions: ['What is a closure?'],
  expertAnswers: ['A function with the variables around it.'],
  tags: [],
});

/** Makes the next edit. */
export async function editSet(admin: Client, edits: Edits, journal: Journal): Promise<void> {
  edits.sent += 1;
  const number = edits.sent;
  const operation = journal.begin(admin.email, 'edit', `set ${edits.setId}`);
  const path = `/api/interviews/sets/${edits.setId}`;
  const answer = await admin.call(operation, { method: 'PUT', path, body: contentOf(number) });
  const isAcknowledged = answer?.status === 200;
  if (isAcknowledged) edits.acknowledged = number;
  else if (answer) journal.report('status', `An edit answered ${answer.status}`, operation.subject, operation.faults);
  journal.end(operation, isAcknowledged);
}

/** Reads the set as a user. It must show the last acknowledged edit, or a later one. */
export async function readSet(client: Client, edits: Edits, journal: Journal): Promise<void> {
  const atLeast = edits.acknowledged;
  const operation = journal.begin(client.email, 'read', `set ${edits.setId}`);
  const answer = await client.call(operation, { method: 'GET', path: '/api/interviews/sets' });
  journal.end(operation, answer?.status === 200);
  const sets = (answer?.body as { interviewSets?: InterviewSet[] } | undefined)?.interviewSets;
  if (!sets) return;
  const title = sets.find(({ _id }) => _id === edits.setId)?.title;
  const shown = title === undefined ? Number.NaN : editNumberOf(title);
  if (shown >= atLeast) return;
  const what = `Edit ${atLeast} was acknowledged, but ${title ?? 'no set'} is shown`;
  journal.report(title === undefined ? 'lost' : 'monotonic', what, operation.subject, operation.faults);
}
