import { parseSettings } from '@interview-prep/kit/process/config';
import { settings } from '@interview-prep/kit/settings';
import { settingFaults } from '@interview-prep/kit/testing/setting-faults';
import { describe, expect, it } from 'vitest';
import builtIn from '../../src/engines/built-in-engines.json' with { type: 'json' };
import { engineSettings } from '../../src/engines/define-engine.ts';
import {
  assessEngines,
  createAssessor,
  parseEngineSettings,
  speechEngines,
  speechFallbackChain,
} from '../../src/engines/registry.ts';

const namesOf = (engines: readonly { name: string }[]) => engines.map(({ name }) => name);

describe('engine settings', () => {
  it('select the first built-in engines by default; an empty variable counts as unset', async () => {
    const chosen = parseEngineSettings({ SPEECH_ENGINE: '', SPEECH_URL: '', ASSESS_API_KEY: '' });
    expect(chosen).toMatchObject({
      SPEECH_ENGINE: builtIn.SPEECH_ENGINE[0],
      ASSESS_ENGINE: builtIn.ASSESS_ENGINE[0],
    });
    expect(namesOf(speechFallbackChain(chosen))).toEqual(builtIn.SPEECH_ENGINE);
    expect((await createAssessor(chosen)).name).toBe(builtIn.ASSESS_ENGINE[0]);
  });

  it('select servers', async () => {
    const chosen = parseEngineSettings({
      SPEECH_ENGINE: 'openai',
      SPEECH_URL: 'http://whisper:8080/v1',
      ASSESS_ENGINE: 'openai',
      ASSESS_URL: 'https://api.openai.com/v1',
      ASSESS_MODEL: 'judge-1',
    });
    const [engine, ...others] = speechFallbackChain(chosen);
    expect(await engine?.create(chosen, { threads: 1 })).toMatchObject({
      name: 'openai',
      model: 'whisper-1',
    });
    expect(others).toEqual([]);
    expect(await createAssessor(chosen)).toMatchObject({ name: 'openai', model: 'judge-1' });
  });

  it.each([
    [{ SPEECH_ENGINE: 'openai', ASSESS_ENGINE: 'openai' }, ['SPEECH_URL', 'ASSESS_URL', 'ASSESS_MODEL']],
    [
      { SPEECH_ENGINE: 'vosk', SPEECH_URL: 'ftp://x', ASSESS_PRICES: 'cheap', SPEECH_LANGUAGE: 'english' },
      ['SPEECH_ENGINE', 'SPEECH_URL', 'ASSESS_PRICES', 'SPEECH_LANGUAGE'],
    ],
    [{ SPEECH_ENGINE: 'pocketsphinx', SPEECH_LANGUAGE: 'de' }, ['SPEECH_LANGUAGE']],
  ])('list every invalid setting at once (%#)', (environment, names) => {
    const faults = settingFaults(() => parseEngineSettings(environment));
    for (const name of names) expect(faults).toContain(`  ${name}: `);
  });

  it('require nothing for an engine that is not selected', () => {
    expect(parseSettings(engineSettings, {})).not.toHaveProperty('SPEECH_URL');
  });
});

describe('the registry', () => {
  it('lists every built-in engine', () => {
    expect(namesOf(speechEngines)).toEqual(expect.arrayContaining(builtIn.SPEECH_ENGINE));
    expect(namesOf(assessEngines)).toEqual(expect.arrayContaining(builtIn.ASSESS_ENGINE));
  });

  it.each([
    ['SPEECH_ENGINE', speechEngines],
    ['ASSESS_ENGINE', assessEngines],
  ] as const)('has a description of %s that names every engine', (setting, engines) => {
    const { type, meaning } = settings[setting];
    expect([...type.options].sort()).toEqual(namesOf(engines).sort());
    for (const name of type.options) expect(meaning).toContain(`\`${name}\``);
  });

  it('reads every engine setting', () => {
    expect(Object.keys(settings).filter((name) => /^(SPEECH|ASSESS)_/.test(name))).toEqual([...engineSettings]);
  });
});
