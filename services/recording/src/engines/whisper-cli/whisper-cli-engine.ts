import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { z } from 'zod';
import { CommandError, runCommand } from '../../media/run-command.ts';
import type { Engine } from '../define-engine.ts';
import { EngineError } from '../engine-error.ts';
import { findProgram } from '../find-program.ts';
import type { Transcriber } from '../transcriber.ts';
import { cutLoops, dropBracketed, type HeardWord, textOf } from '../whisper/clean-words.ts';
import { findModelProblem, type ModelFile, modelFile } from '../whisper/model-file.ts';
import { whisperPrompt } from '../whisper/whisper-prompt.ts';
import requirements from './requirements.json' with { type: 'json' };

const name = 'whisper-cli';
const leastTimeoutMs = 240_000;
const timeoutPerSpokenMs = 8;

/** The output of `whisper-cli -ml 1 -sow -ojf`: a segment for each word. Offsets in ms, `p` 0–1. */
const Output = z.object({
  transcription: z.array(
    z.object({
      text: z.string(),
      offsets: z.object({ from: z.number(), to: z.number() }),
      tokens: z.array(z.object({ text: z.string(), p: z.number() })).optional(),
    }),
  ),
});
type Segment = z.infer<typeof Output>['transcription'][number];

/** The mean probability of a word's tokens; null if there are none. Tokens like [_TT_50] are timestamps. */
function confidenceOf({ tokens = [] }: Segment): number | null {
  const spoken = tokens.filter(({ text }) => !/^\[_.*\]$/.test(text));
  if (spoken.length === 0) return null;
  const mean = spoken.reduce((sum, { p }) => sum + p, 0) / spoken.length;
  return Math.min(1, Math.max(0, mean));
}

/** Reads whisper-cli's JSON. @throws z.ZodError, SyntaxError */
export function readWhisperCliOutput(json: string): HeardWord[] {
  return Output.parse(JSON.parse(json))
    .transcription.filter(({ text }) => text.trim() !== '')
    .map((segment) => {
      const startMs = Math.max(0, Math.round(segment.offsets.from));
      return {
        word: segment.text.trim(),
        startMs,
        endMs: Math.max(startMs, Math.round(segment.offsets.to)),
        confidence: confidenceOf(segment),
        glued: !/^\s/.test(segment.text),
      };
    });
}

function failure(cause: CommandError): EngineError {
  if (cause.kind === 'missing')
    return new EngineError('whisper-cli is not installed on the server.', {
      permanent: false,
      unusable: true,
      cause,
    });
  const reason = cause.kind === 'timeout' ? 'took too long' : 'stopped';
  return new EngineError(`The speech recognizer ${reason}.`, { permanent: false, crashed: true, cause });
}

/** whisper.cpp's command-line program. */
function createWhisperCliTranscriber(options: { program: string; model: ModelFile; threads: number }): Transcriber {
  const { program, model, threads } = options;
  return {
    name,
    model: model.name,
    async transcribe({ wavPath, speech, language, glossary, signal }) {
      const prompt = whisperPrompt(glossary);
      const outPath = `${wavPath}-${randomUUID()}`;
      const args = ['-m', model.path, '-f', wavPath, '-l', language, '-t', String(threads)];
      const words = ['-ml', '1', '-sow', '-ojf', '-of', outPath, '-np'];
      const spokenMs = speech.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
      const timeoutMs = Math.max(leastTimeoutMs, spokenMs * timeoutPerSpokenMs);
      try {
        await runCommand(program, [...args, ...words, ...(prompt === '' ? [] : ['--prompt', prompt])], {
          signal,
          timeoutMs,
        });
        const heard = readWhisperCliOutput(await readFile(`${outPath}.json`, 'utf8'));
        const kept = cutLoops(dropBracketed(heard.filter((word) => isSpoken(word, speech))));
        const engine = `${name} ${model.name}`;
        return { text: textOf(kept), words: kept.map(({ glued: _, ...word }) => word), language, engine };
      } catch (cause) {
        if (cause instanceof CommandError) throw failure(cause);
        throw cause;
      } finally {
        await rm(`${outPath}.json`, { force: true });
      }
    },
  };
}

/** The tolerated error of Whisper's word times. A word further from any speech is a hallucination. */
const toleranceMs = 500;
const isSpoken = ({ startMs, endMs }: HeardWord, speech: readonly { fromMs: number; toMs: number }[]): boolean =>
  speech.some(({ fromMs, toMs }) => endMs >= fromMs - toleranceMs && startMs <= toMs + toleranceMs);

const program = requirements.programs[0] ?? 'whisper-cli';

/** Runs whisper.cpp's own command, with the same weights, on machines without an npm build. */
export const whisperCliEngine: Engine<Transcriber> = {
  name: 'whisper-cli',
  async findProblem({ SPEECH_MODEL }) {
    if (findProgram(program) === null) return `The program ${program} is not on the PATH.`;
    return findModelProblem(modelFile(SPEECH_MODEL));
  },
  create: ({ SPEECH_MODEL }, { threads }) =>
    createWhisperCliTranscriber({ program, model: modelFile(SPEECH_MODEL), threads }),
};
