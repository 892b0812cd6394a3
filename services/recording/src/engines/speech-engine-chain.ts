import type { Engine, EngineCapacity, EngineSettings } from './define-engine.ts';
import { EngineError } from './engine-error.ts';
import type { Transcriber, TranscriptionRequest } from './transcriber.ts';

/** The engine in use, and why better ones are not. */
export interface EngineStatus {
  /** The engine and its model; null if none is usable. */
  engine: string | null;
  /** Better engines that can't be used, with the reasons. */
  unavailable: { engine: string; reason: string }[];
}

/** The chosen engine and its fallbacks as one transcriber: if an engine fails, the next one takes over. */
export interface SpeechEngineChain extends Transcriber {
  status(): EngineStatus;
  prepare(): void;
  close(): void;
}

/** After this many crashes on one recording, the next engine transcribes it. */
const crashesPerRecording = 2;
/** An engine that crashed on this many recordings in a row is not used again until the worker restarts. */
const maxLostRecordings = 3;

interface OpenEngine {
  transcriber: Transcriber;
  /** The number of consecutive recordings that it crashed on. */
  lostRecordings: number;
}

/** Receives log lines about the engine in use. */
export interface EngineLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}

const labelOf = ({ name, model }: Transcriber): string => (model ? `${name} ${model}` : name);

/**
 * Checks which of the engines this machine can run, and logs the result once.
 * @param engines best first
 * @param onFallback called each time a fallback engine has transcribed
 */
export async function openSpeechEngineChain(
  engines: readonly Engine<Transcriber>[],
  settings: EngineSettings,
  capacity: EngineCapacity,
  log: EngineLog,
  onFallback: (engine: string) => void = () => undefined,
): Promise<SpeechEngineChain> {
  const unavailable: EngineStatus['unavailable'] = [];
  const chain: OpenEngine[] = [];
  for (const engine of engines) {
    // Engines after the first usable one are checked only on use.
    const problem = chain.length > 0 ? null : ((await engine.findProblem?.(settings)) ?? null);
    if (problem === null) chain.push({ transcriber: await engine.create(settings, capacity), lostRecordings: 0 });
    else unavailable.push({ engine: engine.name, reason: problem });
  }
  const status = (): EngineStatus => ({
    engine: chain[0] ? labelOf(chain[0].transcriber) : null,
    unavailable: [...unavailable],
  });
  const { engine } = status();
  const facts = { engine, unavailable };
  if (engine === null) log.warn(facts, 'no speech engine can run on this machine');
  else log.info(facts, `speech is transcribed by ${engine}`);

  const remove = (openEngine: OpenEngine, reason: string) => {
    if (!chain.includes(openEngine)) return;
    chain.splice(chain.indexOf(openEngine), 1);
    unavailable.push({ engine: openEngine.transcriber.name, reason });
    openEngine.transcriber.close?.();
    log.warn({ reason }, `the speech engine ${openEngine.transcriber.name} is disabled until the worker restarts`);
  };

  /** The engine's transcript, or the error after which the next engine is tried. @throws any other error */
  const attempt = async (openEngine: OpenEngine, request: TranscriptionRequest) => {
    for (let crashes = 1; ; crashes++) {
      try {
        const transcript = await openEngine.transcriber.transcribe(request);
        openEngine.lostRecordings = 0;
        return { transcript };
      } catch (error) {
        if (!(error instanceof EngineError) || !(error.crashed || error.unusable)) throw error;
        log.warn({ err: error, crashes }, `the speech engine ${openEngine.transcriber.name} failed`);
        if (error.unusable) remove(openEngine, error.message);
        else if (crashes < crashesPerRecording) continue;
        else if (++openEngine.lostRecordings >= maxLostRecordings) remove(openEngine, error.message);
        return { error };
      }
    }
  };

  return {
    get name() {
      return chain[0]?.transcriber.name ?? 'none';
    },
    get worksByWindows() {
      return chain[0]?.transcriber.worksByWindows ?? false;
    },
    async transcribe(request) {
      let failure: EngineError | undefined;
      for (const openEngine of [...chain]) {
        const outcome = await attempt(openEngine, request);
        if (outcome.transcript) {
          const { name } = openEngine.transcriber;
          if (name !== engines[0]?.name) onFallback(name);
          return outcome.transcript;
        }
        failure ??= outcome.error;
      }
      const reasons = unavailable.map(({ engine, reason }) => `${engine}: ${reason}`).join(' ');
      throw failure ?? new EngineError(`No speech engine can run on the server. ${reasons}`, { permanent: false });
    },
    status,
    prepare: () => chain[0]?.transcriber.prepare?.(),
    close() {
      for (const { transcriber } of chain) transcriber.close?.();
    },
  };
}
