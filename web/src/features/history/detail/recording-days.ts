import { byQuestion } from '../../../lib/question-name.ts';

/** Recordings of one calendar day in the reader's time zone. `day` is YYYY-MM-DD, '' if the date is invalid. */
export interface RecordingDay<Recording> {
  day: string;
  recordings: Recording[];
}

interface Dated {
  createdAt: string;
  questionId: number;
}

function dayKey(createdAt: string, timeZone: string | undefined): string {
  const date = new Date(createdAt);
  if (Number.isNaN(date.getTime())) return '';
  // en-CA writes year-month-day, which sorts.
  return new Intl.DateTimeFormat('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit', timeZone }).format(date);
}

/**
 * Groups recordings by calendar day, earliest first and those without a date last; within a day in the order of the
 * questions, each follow-up after its question. `timeZone` is the reader's unless given.
 */
export function recordingDays<Recording extends Dated>(
  recordings: readonly Recording[],
  session: Parameters<typeof byQuestion>[0],
  timeZone?: string,
): RecordingDay<Recording>[] {
  const days = Map.groupBy(recordings, (recording) => dayKey(recording.createdAt, timeZone));
  return [...days]
    .map(([day, ofDay]) => ({ day, recordings: ofDay.toSorted(byQuestion(session)) }))
    .sort((a, b) => (a.day === '' ? 1 : b.day === '' ? -1 : a.day.localeCompare(b.day)));
}

/** The questions that were asked and have no recording: their zero-based numbers. */
export function unansweredQuestions(
  asked: readonly number[],
  recordings: readonly Pick<Dated, 'questionId'>[],
): number[] {
  const answered = new Set(recordings.map((recording) => recording.questionId));
  return asked.filter((index) => !answered.has(index));
}
