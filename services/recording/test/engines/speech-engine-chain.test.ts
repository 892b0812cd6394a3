import { describe, expect, it } from 'vitest';
import type { Engine, EngineSettings } from '../../src/engines/define-engine.ts';
import { EngineError } from '../../src/engines/engine-error.ts';
import { openSpeechEngineChain } from '../../src/engines/speech-engine-chain.ts';
import type { Transcriber } from '../../src/engines/transcriber.ts';

const settings: EngineSettings = { SPEECH_ENGINE: 'whisper', SPEECH_LANGUAGE: 'en', ASSESS_ENGINE: 'reference' };
const signal = new AbortController().signal;
const request = { wavPath: 'a.wav', speech: [], language: 'en', glossary: [], signal };
const crash = () => new EngineError('It stopped.', { permanent: false, crashed: true });

/** An engine that throws these errors, one per call, and then transcribes its own name. */
function engine(name: string, errors: Error[] = [], problem: string | null = null) {
  const calls: string[] = [];
  const transcriber: Transcriber = {
    name,
    async transcribe({ wavPath, language }) {
      calls.push(wavPath);
      const error = errors.shift();
      if (error) throw error;
      return { text: name, words: [], language, engine: name };
    },
  };
  const listed: Engine<Transcriber> = {
    name,
    findProblem: async () => problem,
    create: async () => transcriber,
  };
  return { listed, calls };
}

function open(...engines: ReturnType<typeof engine>[]) {
  const lines: string[] = [];
  const log = {
    info: (_: object, line: string) => lines.push(line),
    warn: (_: object, line: string) => lines.push(line),
  };
  const listed = engines.map((each) => each.listed);
  const fallbacks: string[] = [];
  const told = (name: string) => void fallbacks.push(name);
  return openSpeechEngineChain(listed, settings, { threads: 1 }, log, told).then((chain) => ({
    chain,
    lines,
    fallbacks,
  }));
}

describe('the chain of speech engines', () => {
  it('uses the first engine that can run here, and reports once why a better one cannot', async () => {
    const { chain, lines } = await open(engine('first', [], 'No build for this machine.'), engine('second'));
    expect(await chain.transcribe(request)).toMatchObject({ engine: 'second' });
    expect(chain.status()).toEqual({
      engine: 'second',
      unavailable: [{ engine: 'first', reason: 'No build for this machine.' }],
    });
    expect(lines).toEqual(['speech is transcribed by second']);
  });

  it('retries a recording after a crash, and uses the next engine after two', async () => {
    const [first, second] = [engine('first', [crash(), crash(), crash()]), engine('second')];
    const { chain, fallbacks } = await open(first, second);
    expect(await chain.transcribe(request)).toMatchObject({ engine: 'second' });
    expect(await chain.transcribe(request)).toMatchObject({ engine: 'first' });
    expect(fallbacks).toEqual(['second']);
    expect(first.calls).toHaveLength(4);
    expect(chain.status()).toEqual({ engine: 'first', unavailable: [] });
  });

  it('stops using an engine that crashed on three recordings in a row', async () => {
    const first = engine('first', Array.from({ length: 20 }, crash));
    const { chain } = await open(first, engine('second'));
    for (let recording = 0; recording < 5; recording++) await chain.transcribe(request);
    expect(first.calls).toHaveLength(6);
    expect(chain.status()).toEqual({ engine: 'second', unavailable: [{ engine: 'first', reason: 'It stopped.' }] });
  });

  it('stops using an engine that cannot work at all', async () => {
    const damaged = new EngineError('The model is damaged.', { permanent: false, unusable: true });
    const first = engine('first', [damaged]);
    const { chain } = await open(first, engine('second'));
    expect(await chain.transcribe(request)).toMatchObject({ engine: 'second' });
    expect(chain.status().unavailable).toEqual([{ engine: 'first', reason: 'The model is damaged.' }]);
  });

  it('leaves other failures to the job', async () => {
    const { chain } = await open(
      engine('first', [new EngineError('Too many requests.', { permanent: false })]),
      engine('second'),
    );
    await expect(chain.transcribe(request)).rejects.toThrow('Too many requests.');
  });

  it('fails with the first reason if no engine is left', async () => {
    const { chain } = await open(engine('first', [crash(), crash()]));
    await expect(chain.transcribe(request)).rejects.toThrow('It stopped.');
    const none = await open(engine('first', [], 'It is not installed.'));
    expect(none.chain.status().engine).toBeNull();
    await expect(none.chain.transcribe(request)).rejects.toThrow('first: It is not installed.');
  });
});
