import { stateOf } from '@interview-prep/contracts/recording/point-states';
import type { Point } from '@interview-prep/contracts/recording/recordings';
import type { SessionRecording } from '../session-types.ts';

/** A point shown in the summary. */
export interface Lesson {
  recording: SessionRecording;
  point: Point;
  /** The credit it would earn in full, or has earned, in percentage points of its question. */
  worth: number;
}

/** The maximum number of points in each list. */
const lessonsMax = 3;

/** A point's weight in percentage points. Older verdicts have no weights, so all their points count equally. */
const weightOf = ({ weight }: Point, points: readonly Point[]) => weight ?? Math.round(100 / points.length);

const pointsOf = (recordings: readonly SessionRecording[]) =>
  recordings.flatMap((recording) => {
    const points = recording.assessment?.points ?? [];
    return points.map((point) => ({ recording, point, weight: weightOf(point, points) }));
  });

const byWorth = (a: Lesson, b: Lesson) => b.worth - a.worth || a.recording.questionId - b.recording.questionId;

/** Sorts lessons by value; among equals, takes one of each question before a second of any. */
function rank(lessons: readonly Lesson[]): Lesson[] {
  const turn = (lesson: Lesson) =>
    lessons
      .slice(0, lessons.indexOf(lesson))
      .filter(({ recording, worth }) => recording === lesson.recording && worth === lesson.worth).length;
  return lessons.toSorted((a, b) => b.worth - a.worth || turn(a) - turn(b) || byWorth(a, b));
}

/** Keeps only the first lesson of each unanswered question, and all lessons of the others. */
function oneOfEmptyAnswers(lessons: readonly Lesson[]): Lesson[] {
  const seen = new Set<string>();
  return lessons.filter(({ recording: { _id, assessment } }) => {
    if (!assessment?.reason) return true;
    const isFirst = !seen.has(_id);
    seen.add(_id);
    return isFirst;
  });
}

/**
 * The points to work on: missed or partly covered ones, most valuable first. Optional points cost nothing, so they
 * are left out.
 */
export function pointsToWorkOn(recordings: readonly SessionRecording[], max = lessonsMax): Lesson[] {
  const open = pointsOf(recordings)
    .filter(({ point }) => stateOf(point) !== 'covered' && !point.optional)
    .map(({ weight, ...rest }) => ({ ...rest, worth: weight - (rest.point.credit ?? 0) }))
    .filter(({ worth }) => worth > 0);
  return oneOfEmptyAnswers(rank(open)).slice(0, max);
}

/** The best points, or partly covered ones if there are none: one from each question before a second from any. */
export function pointsMadeWell(recordings: readonly SessionRecording[], max = lessonsMax): Lesson[] {
  const all = pointsOf(recordings);
  const best = (['covered', 'partial'] as const).find((state) => all.some(({ point }) => stateOf(point) === state));
  const made = all
    .filter(({ point }) => stateOf(point) === best)
    .map(({ weight, ...rest }) => ({ ...rest, worth: rest.point.credit ?? weight }))
    .toSorted(byWorth);
  const first = made.filter((one, at) => made.findIndex(({ recording }) => recording === one.recording) === at);
  return [...first, ...made.filter((one) => !first.includes(one))].slice(0, max);
}
