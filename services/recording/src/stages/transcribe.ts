import { join } from 'node:path';
import { extractSound } from '../media/prepare-media.ts';
import type { Recording } from '../recordings/model.ts';
import { fetchOriginal } from './fetch-original.ts';
import type { StageHandler, StageOutcome } from './run-stage.ts';
import type { StageDeps } from './stage-deps.ts';
import { withFolder } from './with-folder.ts';

/** Named as the engine of what it decides: engines are not asked about silence, since Whisper invents text on it. */
export const silenceCheck = 'silence check';

/** The transcription stage: writes down what is said. Silence is an empty transcript. */
export const transcribeStage =
  (deps: StageDeps): StageHandler =>
  async ({ recording, session, signal }) => {
    if (recording.silent) return written(recording, { text: '', words: [], engine: silenceCheck });
    const recordingId = recording._id.toHexString();
    const prompt = `${session.technology}. ${session.questions[recording.questionId] ?? ''}`;
    const transcribe = (wavPath: string) =>
      deps.transcriber.transcribe({ wavPath, language: deps.language, prompt, signal });

    const kept = await deps.wavs.find(recordingId, recording.run);
    const transcript = kept
      ? await transcribe(kept)
      : await withFolder(deps.work, async (folder) => {
          const path = await fetchOriginal(recording, folder, deps.store, signal);
          const wavPath = join(folder, 'sound.wav');
          await extractSound(path, recording.container, wavPath, { signal });
          return transcribe(wavPath);
        });
    await deps.wavs.drop(recordingId, recording.run);
    return written(recording, transcript);
  };

function written(
  { kind }: Recording,
  { text, words, engine }: Pick<Recording['transcription'], 'text' | 'words' | 'engine'>,
): StageOutcome {
  return {
    fields: { transcription: { status: 'completed', text, words, completedAt: new Date(), engine } },
    status: 'completed',
    // Practice answers are not judged.
    next: kind === 'interview' ? 'assessment' : null,
  };
}
