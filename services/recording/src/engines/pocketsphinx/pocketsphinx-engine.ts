import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Word } from '@interview-prep/contracts/recording/recordings';
import { CommandError, runCommand } from '../../media/run-command.ts';
import type { Engine } from '../define-engine.ts';
import { EngineError } from '../engine-error.ts';
import { findProgram } from '../find-program.ts';
import type { Transcriber } from '../transcriber.ts';
import requirements from './requirements.json' with { type: 'json' };

const name = 'pocketsphinx';
/** The program in the Debian package pocketsphinx. */
const pocketsphinxProgram = 'pocketsphinx_continuous';
/** 16 kHz, mono, 16 bit. */
const wavBytesPerSecond = 32_000;
/** PocketSphinx takes a fifth of the recording's length. The limits are far higher, for a busy machine. */
const minTimeoutMs = 120_000;
const timeoutPerSecondMs = 5000;

/** "word(2) 1.230 1.560 0.987654": second pronunciation, start and end in seconds, posterior probability. */
const wordLine = /^(\S+) (\d+\.\d+) (\d+\.\d+) (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/;
/** "<s>", "<sil>", "[NOISE]", "++UM++": the recognizer's output for anything but words. */
const filler = /^(?:<.*>|\[.*\]|\+\+.*\+\+)$/;

/** Parses the output of `pocketsphinx_continuous -time yes`: for each utterance a line of text, which is skipped, then its words with times. */
export function parsePocketsphinxOutput(output: string): Word[] {
  const words: Word[] = [];
  for (const line of output.split('\n')) {
    const [, spoken, start, end, probability] = wordLine.exec(line.trim()) ?? [];
    if (spoken === undefined || filler.test(spoken)) continue;
    words.push({
      word: spoken.replace(/\(\d+\)$/, ''),
      startMs: Math.round(Number(start) * 1000),
      endMs: Math.round(Number(end) * 1000),
      confidence: Math.min(1, Math.max(0, Number(probability))),
    });
  }
  return words;
}

function failure(cause: CommandError): EngineError {
  if (cause.kind === 'missing')
    return new EngineError('pocketsphinx is not installed on the server.', {
      permanent: false,
      unusable: true,
      cause,
    });
  if (cause.kind === 'timeout')
    return new EngineError('The speech recognizer took too long.', { permanent: false, cause });
  return new EngineError('The speech recognizer could not read the recording.', {
    permanent: cause.kind === 'overflow',
    cause,
  });
}

/**
 * Debian's offline recognizer with its US English model. It gets clear speech mostly right and technical terms mostly
 * wrong, and doesn't support prompts.
 * @param modelFolder contains en-us, en-us.lm.bin and cmudict-en-us.dict
 */
export function createPocketsphinxTranscriber(modelFolder: string): Transcriber {
  const model = 'en-us';
  return {
    name,
    model,
    async transcribe({ wavPath, language, signal }) {
      if (language.toLowerCase().split('-')[0] !== 'en')
        throw new EngineError('pocketsphinx supports English only.', { permanent: true });
      const seconds = (await stat(wavPath)).size / wavBytesPerSecond;
      const args = ['-infile', wavPath, '-time', 'yes', '-logfn', '/dev/null'];
      const models = [
        '-hmm',
        join(modelFolder, model),
        '-lm',
        join(modelFolder, `${model}.lm.bin`),
        '-dict',
        join(modelFolder, `cmudict-${model}.dict`),
      ];
      try {
        const timeoutMs = Math.round(Math.max(minTimeoutMs, seconds * timeoutPerSecondMs));
        const words = parsePocketsphinxOutput(
          await runCommand(pocketsphinxProgram, [...args, ...models], { signal, timeoutMs }),
        );
        const text = words.map(({ word }) => word).join(' ');
        return { text, words, language: 'en', engine: `${name} ${model}` };
      } catch (cause) {
        if (cause instanceof CommandError) throw failure(cause);
        throw cause;
      }
    },
  };
}

const modelFolder = requirements.debianPackages['pocketsphinx-en-us'].path;

/** The smallest engine: Debian's PocketSphinx with its US English model. */
export const pocketsphinxEngine: Engine<Transcriber> = {
  name: 'pocketsphinx',
  rules: [
    {
      path: 'SPEECH_LANGUAGE',
      message: 'pocketsphinx understands en only',
      holds: ({ SPEECH_LANGUAGE }) => SPEECH_LANGUAGE === 'en',
    },
  ],
  async findProblem() {
    if (findProgram(pocketsphinxProgram) === null) return `The program ${pocketsphinxProgram} is not installed.`;
    return existsSync(modelFolder) ? null : `PocketSphinx's model is missing from ${modelFolder}.`;
  },
  create: () => createPocketsphinxTranscriber(modelFolder),
};
