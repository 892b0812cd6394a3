import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, onTestFinished, test, vi } from 'vitest';
import { server, setOf, userOf } from '../../../test/fake-api.ts';
import { fakeDevices } from '../../../test/fake-devices.ts';
import { savedAs } from '../../../test/held-uploads.ts';
import { prepareRecording } from '../../../test/prepare-recording.ts';
import { renderApp } from '../../../test/render-app.tsx';

const held = prepareRecording();

const button = (name: string) => screen.findByRole('button', { name });
const captions = () => screen.getByRole('region', { name: 'Live captions' });

/** A recogniser that the page made; a test drives it as the browser would. */
interface FakeRecogniser {
  lang: string;
  processLocally: boolean;
  track: unknown;
  aborted: boolean;
  starts: number;
  hear: (...transcripts: string[]) => void;
  fail: (error: string) => void;
  end: () => void;
}

/**
 * Puts the on-device recognition of the Web Speech API in the place of the one that happy-dom lacks.
 * @param packs what the browser says of its language packs; others it does not know
 */
function fakeRecognition(packs: Record<string, string>) {
  const made: FakeRecogniser[] = [];
  const browser = { made, asked: [] as string[], installs: [] as string[][], installed: true };
  class SpeechRecognition extends EventTarget {
    static available = async ({ langs, processLocally }: { langs: string[]; processLocally: boolean }) => {
      browser.asked.push(...langs);
      return (processLocally && packs[langs[0] ?? '']) || 'unavailable';
    };
    static install = async ({ langs }: { langs: string[] }) => {
      browser.installs.push(langs);
      return browser.installed;
    };
    lang = '';
    track: unknown = null;
    aborted = false;
    starts = 0;
    #local = false;
    constructor() {
      super();
      made.push(this);
    }
    get processLocally() {
      return this.#local;
    }
    set processLocally(local: boolean) {
      this.#local = local;
    }
    start(track: unknown) {
      this.track = track;
      this.starts += 1;
    }
    abort() {
      this.aborted = true;
      this.end();
    }
    hear = (...transcripts: string[]) =>
      this.dispatchEvent(
        Object.assign(new Event('result'), { results: transcripts.map((transcript) => [{ transcript }]) }),
      );
    fail = (error: string) => {
      this.dispatchEvent(Object.assign(new Event('error'), { error }));
      this.end();
    };
    end = () => this.dispatchEvent(new Event('end'));
  }
  vi.stubGlobal('SpeechRecognition', SpeechRecognition);
  onTestFinished(() => localStorage.removeItem(`captions:${userOf('others').id}`));
  return browser;
}

async function begin(overrides: Parameters<typeof setOf>[1] = {}) {
  const set = setOf(1, overrides);
  server.use(http.get('*/api/interviews/sets', () => HttpResponse.json({ interviewSets: [set] })));
  const app = renderApp(`/interview/${set._id}`);
  await button('Start now');
  return app;
}

test.each([
  ['recognises no speech', () => {}],
  ['has only the prefixed recogniser', () => vi.stubGlobal('webkitSpeechRecognition', class {})],
  [
    'cannot be held to the device',
    () => vi.stubGlobal('SpeechRecognition', { available: async () => 'available', prototype: {} }),
  ],
])('a browser that %s offers no captions', async (_, prepare) => {
  fakeDevices();
  prepare();
  await begin();
  await act(async () => {});
  expect(screen.queryByRole('button', { name: 'Live captions' })).toBeNull();
});

test('off by default; once chosen, what is said is shown, in the next interview too, and is not sent', async () => {
  const { opened } = fakeDevices();
  const { made } = fakeRecognition({ 'en-US': 'available' });
  const app = await begin();
  const choice = await button('Live captions');
  expect(choice).toHaveAttribute('aria-pressed', 'false');
  await userEvent.click(choice);
  await waitFor(() => expect(choice).toHaveAttribute('aria-pressed', 'true'));
  app.unmount();

  await begin();
  await waitFor(async () => expect(await button('Live captions')).toHaveAttribute('aria-pressed', 'true'));
  expect(made).toHaveLength(0);
  await userEvent.click(await button('Start now'));
  await waitFor(() => expect(made).toHaveLength(1));
  expect(made[0]).toMatchObject({ lang: 'en-US', processLocally: true, track: opened.at(-1)?.getAudioTracks()[0] });
  expect(captions()).toHaveTextContent('Your words appear here as you speak.');
  act(() => made[0]?.hear('a function', ' remembers'));
  expect(captions()).toHaveTextContent('a function remembers');
  // A screen reader would read it into the recording.
  expect(captions().closest('[aria-live="polite"], [role="status"], [role="log"]')).toBeNull();

  await userEvent.click(await button('Next Question'));
  const { form, answer } = await held.latest(1);
  expect(made[0]?.aborted).toBe(true);
  expect([...form.values()].join(' ')).not.toContain('remembers');
  answer(savedAs(0));
  expect(await screen.findByText('Question 2 of 2')).toBeVisible();
  await waitFor(() => expect(made).toHaveLength(2));
  expect(captions()).not.toHaveTextContent('remembers');
  await userEvent.click(await button('Live captions'));
  expect(made[1]?.aborted).toBe(true);
  expect(screen.queryByRole('region', { name: 'Live captions' })).toBeNull();
  expect(screen.getByText('Recording in progress...')).toBeVisible();
});

test('captions go on after a silence; a recogniser that fails says so, and the recording goes on', async () => {
  fakeDevices();
  const { made } = fakeRecognition({ 'pt-BR': 'available' });
  await begin({ language: 'pt' });
  await userEvent.click(await button('Live captions'));
  await userEvent.click(await button('Start now'));
  await waitFor(() => expect(made).toHaveLength(1));
  expect(made[0]?.lang).toBe('pt-BR');
  act(() => {
    made[0]?.hear('uma função');
    made[0]?.fail('no-speech');
  });
  expect(made[0]?.starts).toBe(2);
  act(() => made[0]?.hear('lembra'));
  expect(captions()).toHaveTextContent('uma função lembra');
  act(() => made[0]?.fail('service-not-allowed'));
  expect(captions()).toHaveTextContent('Captions stopped. Your answer is still being recorded.');
  expect(made[0]?.starts).toBe(2);
  expect(screen.getByText('Recording in progress...')).toBeVisible();
});

test('a recogniser that ends at once, again and again, is given up', async () => {
  fakeDevices();
  const { made } = fakeRecognition({ 'en-US': 'available' });
  await begin();
  await userEvent.click(await button('Live captions'));
  await userEvent.click(await button('Start now'));
  await waitFor(() => expect(made).toHaveLength(1));
  for (let run = 1; run <= 3; run++) act(() => made[0]?.end());
  expect(captions()).toHaveTextContent('Captions stopped.');
  expect(made[0]?.starts).toBe(3);
});

test('a language that the browser does not have is refused in words', async () => {
  fakeDevices();
  fakeRecognition({ 'de-DE': 'available' });
  await begin();
  await userEvent.click(await button('Live captions'));
  expect(await screen.findByText('Your browser cannot caption English on this device.')).toBeVisible();
  expect(await button('Live captions')).toHaveAttribute('aria-pressed', 'false');
});

test('the browser is asked nothing until captions are wanted', async () => {
  fakeDevices();
  const browser = fakeRecognition({ 'en-US': 'available' });
  await begin();
  await button('Live captions');
  expect(browser.asked).toEqual([]);
  await userEvent.click(await button('Live captions'));
  await waitFor(() => expect(browser.asked).toContain('en-US'));
});

test('a language pack is downloaded only when captions are turned on', async () => {
  fakeDevices();
  const browser = fakeRecognition({ 'en-US': 'downloadable', en: 'downloadable' });
  browser.installed = false;
  await begin();
  const choice = await button('Live captions');
  expect(browser.installs).toEqual([]);
  await userEvent.click(choice);
  expect(await screen.findByText('Your browser could not download what captions need.')).toBeVisible();
  expect(browser.installs).toEqual([['en-US']]);
  expect(choice).toHaveAttribute('aria-pressed', 'false');

  browser.installed = true;
  await userEvent.click(choice);
  await waitFor(() => expect(choice).toHaveAttribute('aria-pressed', 'true'));
});
