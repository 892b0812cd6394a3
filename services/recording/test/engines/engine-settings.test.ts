import { describe, expect, it } from 'vitest';
import { createAssessor, createTranscriber, parseEngineSettings } from '../../src/engines/engine-settings.ts';

describe('engine settings', () => {
  it('choose the offline engines where nothing is set; an empty variable counts as absent', () => {
    const settings = parseEngineSettings({ SPEECH_ENGINE: '', SPEECH_URL: '', ASSESS_API_KEY: '' });
    expect(createTranscriber(settings)).toMatchObject({ name: 'pocketsphinx', model: 'en-us' });
    expect(createAssessor(settings).name).toBe('reference');
  });

  it('choose servers', () => {
    const settings = parseEngineSettings({
      SPEECH_ENGINE: 'openai',
      SPEECH_URL: 'http://whisper:8080/v1',
      ASSESS_ENGINE: 'openai',
      ASSESS_URL: 'https://api.openai.com/v1',
      ASSESS_MODEL: 'judge-1',
    });
    expect(createTranscriber(settings)).toMatchObject({ name: 'openai', model: 'whisper-1' });
    expect(createAssessor(settings)).toMatchObject({ name: 'openai', model: 'judge-1' });
  });

  it.each([
    [{ SPEECH_ENGINE: 'openai', ASSESS_ENGINE: 'openai' }, ['SPEECH_URL', 'ASSESS_URL', 'ASSESS_MODEL']],
    [
      { SPEECH_ENGINE: 'vosk', SPEECH_URL: 'ftp://x', ASSESS_TIMEOUT_MS: 'soon', SPEECH_LANGUAGE: 'english' },
      ['SPEECH_ENGINE', 'SPEECH_URL', 'ASSESS_TIMEOUT_MS', 'SPEECH_LANGUAGE'],
    ],
    [{ SPEECH_LANGUAGE: 'de' }, ['SPEECH_LANGUAGE']],
  ])('list every fault at once (%#)', (environment, names) => {
    for (const name of names) expect(() => parseEngineSettings(environment)).toThrow(`  ${name}: `);
  });
});
