import type { FileError } from '../../../lib/csv.ts';
import type { ReadySet } from './check-sets.ts';

/** The progress of saving one set. */
export type Saving = { status: 'waiting' | 'saved' | 'skipped' } | { status: 'failed'; message: string };

/** How to handle sets that already exist. */
export type Existing = 'skip' | 'replace';

/** The state of an import. Nothing is saved before `saving`, which an invalid file never reaches. */
export type ImportState =
  | { status: 'choosing' }
  | { status: 'reading'; fileName: string }
  | { status: 'invalid'; fileName: string; errors: readonly FileError[] }
  | { status: 'ready'; fileName: string; sets: readonly ReadySet[]; existing: Existing }
  | { status: 'saving' | 'done'; fileName: string; sets: readonly ReadySet[]; savings: readonly Saving[] };

export type ImportEvent =
  | { kind: 'chosen'; fileName: string }
  | { kind: 'checked'; sets: readonly ReadySet[]; errors: readonly FileError[] }
  | { kind: 'existing-chosen'; existing: Existing }
  | { kind: 'started' }
  | { kind: 'settled'; index: number; saving: Saving }
  | { kind: 'finished' }
  | { kind: 'restarted' };

export const choosing: ImportState = { status: 'choosing' };

/** Ignores events that don't fit the state: a late response, a second click. */
export function importReducer(state: ImportState, event: ImportEvent): ImportState {
  switch (event.kind) {
    case 'chosen':
      return state.status === 'saving' ? state : { status: 'reading', fileName: event.fileName };
    case 'checked':
      if (state.status !== 'reading') return state;
      return event.errors.length > 0
        ? { status: 'invalid', fileName: state.fileName, errors: event.errors }
        : { status: 'ready', fileName: state.fileName, sets: event.sets, existing: 'skip' };
    case 'existing-chosen':
      return state.status === 'ready' ? { ...state, existing: event.existing } : state;
    case 'started':
      if (state.status === 'ready') {
        const { fileName, sets } = state;
        return { status: 'saving', fileName, sets, savings: savingsOf(state) };
      }
      if (state.status === 'done') {
        // Retry only what failed.
        const savings = state.savings.map((each): Saving => (each.status === 'failed' ? { status: 'waiting' } : each));
        return { ...state, status: 'saving', savings };
      }
      return state;
    case 'settled':
      if (state.status !== 'saving') return state;
      return { ...state, savings: state.savings.with(event.index, event.saving) };
    case 'finished':
      return state.status === 'saving' ? { ...state, status: 'done' } : state;
    case 'restarted':
      return state.status === 'saving' ? state : choosing;
  }
}

/** The progress of each set. Existing sets are skipped unless they are replaced. */
export function savingsOf(state: ImportState): readonly Saving[] {
  if ('savings' in state) return state.savings;
  if (state.status !== 'ready') return [];
  return state.sets.map(({ replaces }) => ({ status: replaces && state.existing === 'skip' ? 'skipped' : 'waiting' }));
}

export function countOfStatus(savings: readonly Saving[], status: Saving['status']): number {
  return savings.filter((saving) => saving.status === status).length;
}
