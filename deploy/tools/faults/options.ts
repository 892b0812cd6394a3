import { parseArgs } from 'node:util';
import { StartupError } from '@interview-prep/local/settings';
import { faultTable } from './fault-table.ts';
import { sabotages } from './sabotage/sabotages.ts';

export interface Options {
  /** Runs until this many operations have met a fault. */
  trials: number;
  seed: number;
  /** Parts of the names of faults; empty for all. */
  only: readonly string[];
  /** A single pass through the short faults. */
  short: boolean;
  /** Two replicas of each of the product's processes; a fault hits one of the two. */
  twice: boolean;
  /** Breaks a safeguard, and stops at the first violation. */
  sabotage: string | undefined;
}

const DEFAULT_TRIALS = 3000;

function wholeNumber(name: string, text: string | undefined, otherwise: number): number {
  const number = text === undefined ? otherwise : Number(text);
  if (!Number.isInteger(number) || number < 0) throw new StartupError(`--${name} must be a whole number.`);
  return number;
}

/** @throws StartupError for an unknown option or name */
export function readOptions(args: readonly string[]): Options {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        trials: { type: 'string' },
        seed: { type: 'string' },
        only: { type: 'string', multiple: true, default: [] },
        short: { type: 'boolean', default: false },
        twice: { type: 'boolean', default: false },
        sabotage: { type: 'string' },
      },
    });
    const { only, short, twice, sabotage } = values;
    const unknown = only.filter((part) => !faultTable.some(({ name }) => name.includes(part)));
    if (unknown.length > 0)
      throw new StartupError(`There is no fault "${unknown.join('", "')}". ${listOf(faultNames)}`);
    if (sabotage !== undefined && !Object.hasOwn(sabotages, sabotage)) {
      throw new StartupError(`There is no sabotage "${sabotage}". ${listOf(Object.keys(sabotages))}`);
    }
    const seed = wholeNumber('seed', values.seed, Math.floor(Math.random() * 1e6));
    return { trials: wholeNumber('trials', values.trials, DEFAULT_TRIALS), seed, only, short, twice, sabotage };
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')) {
      throw new StartupError((error as Error).message);
    }
    throw error;
  }
}

const faultNames = faultTable.map(({ name }) => name);
const listOf = (names: readonly string[]) => `Choose among: ${names.join(', ')}.`;
