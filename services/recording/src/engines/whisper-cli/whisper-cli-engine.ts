import type { Engine } from '../define-engine.ts';
import { findProgram } from '../find-program.ts';
import type { Transcriber } from '../transcriber.ts';
import { findModelProblem, modelFile } from '../whisper/model-file.ts';
import requirements from './requirements.json' with { type: 'json' };
import { createWhisperCliTranscriber } from './whisper-cli-transcriber.ts';

const program = requirements.programs[0] ?? 'whisper-cli';

/** Whisper by whisper.cpp's own command, with the same weights, where npm has no build for the machine. */
export const whisperCliEngine: Engine<Transcriber> = {
  name: 'whisper-cli',
  async findProblem({ SPEECH_MODEL }) {
    if (findProgram(program) === null) return `The program ${program} is not on the PATH.`;
    return findModelProblem(modelFile(SPEECH_MODEL));
  },
  create: ({ SPEECH_MODEL }, { threads }) =>
    createWhisperCliTranscriber({ program, model: modelFile(SPEECH_MODEL), threads }),
};
