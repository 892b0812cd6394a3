import type { Journal, Operation, Violation } from './load/journal.ts';

export interface FaultOutcome {
  name: string;
  injected: number;
  /** The longest recovery: from the end of the fault until everything was processed. */
  worstRecoveryMs: number;
  /** Why it was skipped. */
  skipped: string | undefined;
}

const seconds = (ms: number) => (ms / 1000).toFixed(1);

/** Formats the results as a Markdown table. An operation that met two faults counts in both rows, but once in the total. */
export function formatTable(outcomes: readonly FaultOutcome[], journal: Journal): string {
  const trials = journal.trials();
  const row = (name: string, injected: string, of: Operation[], violations: Violation[], recovery: string) => {
    const count = (...checks: Violation['check'][]) => violations.filter(({ check }) => checks.includes(check)).length;
    const others = violations.length - count('lost', 'doubled');
    return `| ${[name, injected, of.length, count('lost'), count('doubled'), others, recovery].join(' | ')} |`;
  };
  const rows = outcomes.map(({ name, injected, worstRecoveryMs, skipped }) =>
    row(
      name,
      skipped ?? String(injected),
      trials.filter(({ faults }) => faults.has(name)),
      journal.violations.filter(({ faults }) => faults.includes(name)),
      injected === 0 ? '' : `${seconds(worstRecoveryMs)} s`,
    ),
  );
  const sum = outcomes.reduce((total, { injected }) => total + injected, 0);
  const worst = Math.max(0, ...outcomes.map(({ worstRecoveryMs }) => worstRecoveryMs));
  const total = row('**total**', String(sum), trials, [...journal.violations], `${seconds(worst)} s`);
  return [
    '| fault | injected | trials | lost | doubled | other | worst recovery |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    total,
  ].join('\n');
}

/** Formats a violation with its minimal history: the operations on the same subject, and the faults active at the time. */
export function formatViolation(violation: Violation, journal: Journal): string {
  const { check, what, subject, at } = violation;
  const about = subject === '' ? [] : journal.operations.filter((operation) => operation.subject === subject);
  // There are many reads: the last ones are relevant.
  const shown = about.length > 8 ? [...about.slice(0, 2), ...about.slice(-6)] : about;
  const from = Math.min(at, ...shown.map(({ startedAt }) => startedAt));
  const events = [
    ...shown.map((operation) => ({
      at: operation.startedAt,
      line: `${operation.user} ${operation.kind} ${subject}: ${describeAttempts(operation)}`,
    })),
    ...journal.faults
      .filter((fault) => fault.from <= at && (fault.to ?? Number.POSITIVE_INFINITY) >= from)
      .slice(-8)
      .map((fault) => ({
        at: fault.from,
        line: `fault "${fault.name}" until ${fault.to === undefined ? 'now' : `${seconds(fault.to)} s`}`,
      })),
    { at, line: `found: ${what}` },
  ].toSorted((a, b) => a.at - b.at);
  return [
    `✗ ${check}: ${what}`,
    ...events.map((event) => `    ${seconds(event.at).padStart(8)} s  ${event.line}`),
  ].join('\n');
}

function describeAttempts({ attempts, isAcknowledged, endedAt }: Operation): string {
  const answers = attempts.map(({ outcome, tookMs }) => `${outcome} after ${tookMs} ms`);
  const some =
    answers.length > 6 ? [...answers.slice(0, 3), `… ${answers.length - 5} more …`, ...answers.slice(-2)] : answers;
  const end = endedAt === undefined ? 'still running' : isAcknowledged ? 'acknowledged' : 'given up';
  return `${some.join(', ')}; ${end}`;
}
