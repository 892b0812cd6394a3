import type { SettingsRule } from '@interview-prep/kit/config';
import { z } from 'zod';
import type { Thresholds } from './thresholds.ts';

/** The parsed settings of all engines together; each engine reads its own through its definition. */
export interface EngineSettings {
  SPEECH_ENGINE: string;
  SPEECH_LANGUAGE: string;
  SPEECH_MODEL?: string | undefined;
  ASSESS_ENGINE: string;
}

/** Settings that several speech engines share. Names of an engine's own settings begin with SPEECH_ or ASSESS_. */
export const speechSettings = {
  /** ISO 639-1: what the candidates speak. */
  SPEECH_LANGUAGE: z
    .string()
    .regex(/^[a-z]{2}$/, 'must be a language code of two letters, e.g. en')
    .default('en'),
  /** What the chosen engine calls its model: a name or a path. */
  SPEECH_MODEL: z.string().optional(),
};

type Parsed<Shape extends z.ZodRawShape> = z.infer<z.ZodObject<Shape & typeof speechSettings>>;

/** The processor threads that an engine may use. */
export interface EngineCapacity {
  threads: number;
  /** For the built-in judge: thresholds that were fitted to people's decisions; null where there are none. */
  readThresholds?: (() => Promise<Thresholds | null>) | undefined;
}

/** An engine as its folder describes it. */
interface EngineDefinition<Shape extends z.ZodRawShape, Made> {
  /** The value of SPEECH_ENGINE or ASSESS_ENGINE that chooses it. */
  name: string;
  settings: Shape;
  /** What must hold between valid settings where this engine is chosen. */
  rules?: readonly SettingsRule<Parsed<Shape>>[];
  /** The start-up check: why this machine cannot run the engine, in a sentence; null where it can. */
  findProblem?(settings: Parsed<Shape>): Promise<string | null>;
  /** For an engine on a server. @throws UnusableSetting where the server refuses it, and waiting would not help */
  checkServer?(settings: Parsed<Shape>): Promise<void>;
  /** May import what only this engine needs. */
  create(settings: Parsed<Shape>, capacity: EngineCapacity): Made | Promise<Made>;
}

/** An engine as the registry lists it. */
export interface Engine<Made> {
  name: string;
  settings: z.ZodRawShape;
  rules: readonly SettingsRule<EngineSettings>[];
  findProblem(settings: EngineSettings): Promise<string | null>;
  /** @throws UnusableSetting where its server refuses the settings, and waiting would not help */
  checkServer(settings: EngineSettings): Promise<void>;
  create(settings: EngineSettings, capacity: EngineCapacity): Promise<Made>;
}

/** Makes a definition fit the registry. */
export function defineEngine<Shape extends z.ZodRawShape, Made>(
  definition: EngineDefinition<Shape, Made>,
): Engine<Made> {
  const { name, settings, rules = [] } = definition;
  // The registry parses the shapes of all engines as one object, so what it passes has this shape.
  const own = (all: EngineSettings) => all as unknown as Parsed<Shape>;
  return {
    name,
    settings,
    rules: rules.map(({ path, message, holds }) => ({ path, message, holds: (all) => holds(own(all)) })),
    findProblem: async (all) => (await definition.findProblem?.(own(all))) ?? null,
    checkServer: async (all) => definition.checkServer?.(own(all)),
    create: async (all, capacity) => definition.create(own(all), capacity),
  };
}

/** A limit for one call to an engine's server, in ms. */
export function timeoutSetting(defaultMs: number) {
  return z.coerce.number().int().min(1000).max(3_600_000).default(defaultMs);
}

/** The base URL of an engine's server. */
export const serverUrlSetting = z.url({
  protocol: /^https?$/,
  error: 'must be an address that begins with http:// or https://',
});
