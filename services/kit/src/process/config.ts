import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { type ProcessName, removedSettings, type Setting, type SettingName, settings as table } from '../settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Table = typeof table;

type ValueOf<Name extends SettingName> = z.infer<Table[Name]['type']>;
type Kept<Name extends SettingName, Feature> = { [N in Name]: Table[N] extends Feature ? N : never }[Name];
type Certain<Name extends SettingName> = Kept<Name, { default: string } | { required: true }>;

/** Parsed settings: present if required or with a default, otherwise optional. */
export type Settings<Name extends SettingName> = { [N in Certain<Name>]: ValueOf<N> } & {
  [N in Exclude<Name, Certain<Name>>]?: ValueOf<N> | undefined;
};

/** Parsed settings of which required ones may be missing. */
export type GivenSettings<Name extends SettingName> = { [N in Kept<Name, { default: string }>]: ValueOf<N> } & {
  [N in Exclude<Name, Kept<Name, { default: string }>>]?: ValueOf<N> | undefined;
};

/** The names of the settings that a process reads. */
export type SettingsOf<Process extends ProcessName> = {
  [N in SettingName]: Process extends Table[N]['processes'][number] ? N : never;
}[SettingName];

/** The settings that a process reads, in the order of the table. */
export function settingsOf<Process extends ProcessName>(process: Process): SettingsOf<Process>[] {
  const rows = Object.entries(table) as [SettingName, Setting][];
  return rows.flatMap(([name, { processes }]) => (processes.includes(process) ? [name] : [])) as SettingsOf<Process>[];
}

/** A condition between settings. `path` names the invalid setting, `message` says what it must be. */
export interface SettingsRule<Values> {
  path: string;
  message: string;
  holds(settings: Values): boolean;
}

/** An invalid setting, with the reason. */
interface SettingProblem {
  name: string;
  message: string;
}

/**
 * Parses the settings in the environment, and applies defaults. An empty variable counts as unset. Each setting can also be
 * read from a file named by `NAME_FILE`, as written by vaults and Docker; a final line break is dropped.
 */
export function readGivenSettings<Name extends SettingName>(
  names: readonly Name[],
  environment: Environment,
): { values: GivenSettings<Name>; problems: SettingProblem[] } {
  const values: Record<string, unknown> = {};
  const problems: SettingProblem[] = [];
  for (const name of names) {
    const row: Setting = table[name];
    const path = environment[`${name}_FILE`];
    let given = environment[name] || undefined;
    if (path) {
      try {
        if (given !== undefined) throw new Error(`${name} is set as well: set one of them`);
        given = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
      } catch (error) {
        problems.push({ name: `${name}_FILE`, message: (error as Error).message });
        continue;
      }
    }
    const raw = given ?? row.default;
    if (raw === undefined) continue;
    const parsed = row.type.safeParse(raw);
    if (parsed.success) values[name] = parsed.data;
    else problems.push(...parsed.error.issues.map(({ message }) => ({ name, message })));
  }
  return { values: values as GivenSettings<Name>, problems };
}

/**
 * Parses the settings of a process. If some are invalid, lists them all and exits with status 1. Warns about unknown
 * settings. `rules` are checked once each setting is valid by itself.
 */
export function parseSettings<Name extends SettingName>(
  names: readonly Name[],
  environment: NodeJS.ProcessEnv = process.env,
  rules: readonly SettingsRule<Settings<Name>>[] = [],
): Settings<Name> {
  for (const warning of unknownSettings(environment)) process.stderr.write(`${warning}\n`);
  const { values: given, problems } = readGivenSettings(names, environment);
  const missing = names.filter(
    (name) =>
      (table[name] as Setting).required && !(name in given) && !problems.some((one) => one.name.startsWith(name)),
  );
  problems.push(...missing.map((name) => ({ name, message: 'is required' })));
  const values = given as unknown as Settings<Name>;
  if (problems.length === 0) {
    problems.push(...rules.flatMap(({ path: name, message, holds }) => (holds(values) ? [] : [{ name, message }])));
  }
  if (problems.length > 0) refuseSettings(problems.map(({ name, message }) => `${name}: ${message}`));
  return values;
}

/** Whether two words differ by at most one missing, added or replaced letter, or one swap of adjacent letters. */
function isMisspelled(word: string, other: string): boolean {
  if (Math.abs(word.length - other.length) > 1) return false;
  let start = 0;
  while (start < word.length && word[start] === other[start]) start += 1;
  const [a, b] = [word.slice(start), other.slice(start)];
  return (
    a.slice(1) === b || a === b.slice(1) || a.slice(1) === b.slice(1) || (a[1] ?? '') + (a[0] ?? '') + a.slice(2) === b
  );
}

/** Warnings about settings in the environment that were removed or look misspelled. */
export function unknownSettings(environment: Environment): string[] {
  const known = Object.keys(table);
  return Object.keys(environment).flatMap((variable) => {
    const name = variable.replace(/_FILE$/, '');
    if (!environment[variable] || known.includes(variable) || known.includes(name)) return [];
    const replacement = removedSettings[name];
    if (replacement !== undefined) return [`${variable} is no longer a setting: ${replacement}.`];
    // Short names, such as HOSTS, may belong to other programs.
    const meant = name.length < 8 ? undefined : known.find((other) => isMisspelled(name, other));
    return meant === undefined ? [] : [`${variable} is not a setting: did you mean ${meant}?`];
  });
}

/** A valid setting that does not work with its server. Retrying won't help; `message` says why. */
export class UnusableSetting extends Error {
  override readonly name = 'UnusableSetting';
  /** The setting's name. */
  readonly setting: string;

  constructor(setting: string, reason: string, cause?: unknown) {
    super(reason, { cause });
    this.setting = setting;
  }
}

/** Prints the problems with the settings, one per line, and exits with status 1. */
export function refuseSettings(problems: readonly string[]): never {
  process.stderr.write(`Invalid settings:\n${problems.map((problem) => `  ${problem}`).join('\n')}\n`);
  process.exit(1);
}
