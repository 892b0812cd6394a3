import { existsSync } from 'node:fs';
import type { Engine } from '../define-engine.ts';
import { findProgram } from '../find-program.ts';
import type { Transcriber } from '../transcriber.ts';
import { createPocketsphinxTranscriber, pocketsphinxProgram } from './pocketsphinx-transcriber.ts';
import requirements from './requirements.json' with { type: 'json' };

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
