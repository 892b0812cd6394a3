import { readFile } from 'node:fs/promises';
import { parseSettings } from '@interview-prep/kit/config';
import { settingFaults } from '@interview-prep/kit/testing/setting-faults';
import { describe, expect, it } from 'vitest';
import builtIn from '../../src/engines/built-in-engines.json' with { type: 'json' };
import {
  assessEngines,
  createAssessor,
  engineSettings,
  parseEngineSettings,
  speechEngines,
  speechFallbackChain,
} from '../../src/engines/registry.ts';

const read = (path: string) => readFile(new URL(`../../../../${path}`, import.meta.url), 'utf8');
const settingNames = Object.keys(engineSettings);
const namesOf = (engines: readonly { name: string }[]) => engines.map(({ name }) => name);

describe('engine settings', () => {
  it('choose the first built-in engines by default; an empty variable counts as absent', async () => {
    const settings = parseEngineSettings({ SPEECH_ENGINE: '', SPEECH_URL: '', ASSESS_API_KEY: '' });
    expect(settings).toMatchObject({
      SPEECH_ENGINE: builtIn.SPEECH_ENGINE[0],
      ASSESS_ENGINE: builtIn.ASSESS_ENGINE[0],
    });
    expect(namesOf(speechFallbackChain(settings))).toEqual(builtIn.SPEECH_ENGINE);
    expect((await createAssessor(settings)).name).toBe(builtIn.ASSESS_ENGINE[0]);
  });

  it('choose servers', async () => {
    const settings = parseEngineSettings({
      SPEECH_ENGINE: 'openai',
      SPEECH_URL: 'http://whisper:8080/v1',
      ASSESS_ENGINE: 'openai',
      ASSESS_URL: 'https://api.openai.com/v1',
      ASSESS_MODEL: 'judge-1',
    });
    const [engine, ...others] = speechFallbackChain(settings);
    expect(await engine?.create(settings, { threads: 1 })).toMatchObject({
      name: 'openai',
      model: 'whisper-1',
    });
    expect(others).toEqual([]);
    expect(await createAssessor(settings)).toMatchObject({ name: 'openai', model: 'judge-1' });
  });

  it.each([
    [{ SPEECH_ENGINE: 'openai', ASSESS_ENGINE: 'openai' }, ['SPEECH_URL', 'ASSESS_URL', 'ASSESS_MODEL']],
    [
      { SPEECH_ENGINE: 'vosk', SPEECH_URL: 'ftp://x', ASSESS_TIMEOUT_MS: 'soon', SPEECH_LANGUAGE: 'english' },
      ['SPEECH_ENGINE', 'SPEECH_URL', 'ASSESS_TIMEOUT_MS', 'SPEECH_LANGUAGE'],
    ],
    [{ SPEECH_ENGINE: 'pocketsphinx', SPEECH_LANGUAGE: 'de' }, ['SPEECH_LANGUAGE']],
  ])('list every invalid setting at once (%#)', (environment, names) => {
    const faults = settingFaults(() => parseEngineSettings(environment));
    for (const name of names) expect(faults).toContain(`  ${name}: `);
  });

  it('require nothing of an engine that is not chosen', () => {
    expect(parseSettings(engineSettings, {})).not.toHaveProperty('SPEECH_URL');
  });
});

describe('the registry', () => {
  it('lists every built-in engine', () => {
    expect(namesOf(speechEngines)).toEqual(expect.arrayContaining(builtIn.SPEECH_ENGINE));
    expect(namesOf(assessEngines)).toEqual(expect.arrayContaining(builtIn.ASSESS_ENGINE));
  });

  it('names its settings so that every start passes them on', () => {
    for (const name of settingNames) expect(name).toMatch(/^(SPEECH|ASSESS)_/);
  });

  it.each(settingNames)(
    '%s is in docker-compose.yml, .env.example and the settings table of the README',
    async (name) => {
      expect(await read('docker-compose.yml')).toContain(`  ${name}: \${${name}:-}\n`);
      expect(await read('.env.example')).toMatch(new RegExp(`^${name}=$`, 'm'));
      expect(await read('README.md')).toMatch(new RegExp(`^\\| .*\`${name}\``, 'm'));
    },
  );

  it.each([
    ['SPEECH_ENGINE', speechEngines, builtIn.SPEECH_ENGINE],
    ['ASSESS_ENGINE', assessEngines, builtIn.ASSESS_ENGINE],
  ] as const)('README and .env.example name every value of %s', async (setting, engines, [byDefault]) => {
    const [row = ''] =
      (await read('README.md')).match(new RegExp(`^\\| \`${setting}\` \\| \`${byDefault}\` .*$`, 'm')) ?? [];
    const [comment = ''] = (await read('.env.example')).match(new RegExp(`(^#.*\\n)+${setting}=$`, 'm')) ?? [];
    for (const { name } of engines) {
      expect(row).toContain(`\`${name}\``);
      expect(comment).toContain(name);
    }
  });
});
