import type { Engine, EngineCapacity, EngineSettings } from './define-engine.ts';
import { EngineError } from './engine-error.ts';
import type { Transcriber, TranscriptionRequest } from './transcriber.ts';

/** Which engine serves, and why the better ones do not. */
export interface EngineStatus {
  /** The engine and its model; null where none can serve. */
  engine: string | null;
  /** Engines that are not used, although they come first in line, and why. */
  setAside: { engine: string; reason: string }[];
}

/** The chosen engine and its fallbacks, as one transcriber: the next in line serves where the one before it fails. */
export interface SpeechLine extends Transcriber {
  status(): EngineStatus;
  close(): void;
}

/** After this many crashes on one recording, the next engine transcribes it. */
const crashesPerRecording = 2;
/** An engine that crashed on this many recordings in a row is not used again until the worker restarts. */
const lostRecordingsMax = 3;

interface Place {
  transcriber: Transcriber;
  /** Recordings in a row that it crashed on. */
  lost: number;
}

/** Where it is logged which engine serves. */
export interface EngineLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}

const labelOf = ({ name, model }: Transcriber): string => (model ? `${name} ${model}` : name);

/**
 * Checks which of the engines this machine can run, and says so in the log once.
 * @param engines best first
 */
export async function openSpeechLine(
  engines: readonly Engine<Transcriber>[],
  settings: EngineSettings,
  capacity: EngineCapacity,
  log: EngineLog,
): Promise<SpeechLine> {
  const setAside: EngineStatus['setAside'] = [];
  const line: Place[] = [];
  for (const engine of engines) {
    // Engines after the first that works are checked only when they are used.
    const problem = line.length > 0 ? null : await engine.findProblem(settings);
    if (problem === null) line.push({ transcriber: engine.create(settings, capacity), lost: 0 });
    else setAside.push({ engine: engine.name, reason: problem });
  }
  const status = (): EngineStatus => ({
    engine: line[0] ? labelOf(line[0].transcriber) : null,
    setAside: [...setAside],
  });
  const { engine } = status();
  const facts = { engine, setAside, threads: capacity.threads };
  if (engine === null) log.warn(facts, 'no speech engine can run here');
  else log.info(facts, `speech is transcribed by ${engine}`);

  const putAside = (place: Place, reason: string) => {
    if (!line.includes(place)) return;
    line.splice(line.indexOf(place), 1);
    setAside.push({ engine: place.transcriber.name, reason });
    place.transcriber.close?.();
    log.warn({ reason }, `the speech engine ${place.transcriber.name} is not used any more`);
  };

  /** The engine's transcript, or the error after which the next engine is tried. @throws any other error */
  const attempt = async (place: Place, request: TranscriptionRequest) => {
    for (let crashes = 1; ; crashes++) {
      try {
        const transcript = await place.transcriber.transcribe(request);
        place.lost = 0;
        return { transcript };
      } catch (error) {
        if (!(error instanceof EngineError) || !(error.crashed || error.unusable)) throw error;
        log.warn({ err: error, crashes }, `the speech engine ${place.transcriber.name} failed`);
        if (error.unusable) putAside(place, error.message);
        else if (crashes < crashesPerRecording) continue;
        else if (++place.lost >= lostRecordingsMax) putAside(place, error.message);
        return { error };
      }
    }
  };

  return {
    get name() {
      return line[0]?.transcriber.name ?? 'none';
    },
    async transcribe(request) {
      let failure: EngineError | undefined;
      for (const place of [...line]) {
        const outcome = await attempt(place, request);
        if (outcome.transcript) return outcome.transcript;
        failure ??= outcome.error;
      }
      const reasons = setAside.map(({ engine, reason }) => `${engine}: ${reason}`).join(' ');
      throw failure ?? new EngineError(`No speech engine can run on the server. ${reasons}`, { permanent: false });
    },
    status,
    close() {
      for (const { transcriber } of line) transcriber.close?.();
    },
  };
}
