import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { quickSetOf, server, signInBefore, userOf } from '../../../test/fake-api.ts';
import { fakeDevices } from '../../../test/fake-devices.ts';
import { holdUploads } from '../../../test/held-uploads.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { spokenQuestion } from '../interview/use-asking.ts';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  holdUploads();
  signInBefore('others');
});
afterEach(() => {
  vi.restoreAllMocks();
  server.resetHandlers();
});
afterAll(() => server.close());

const button = (name: string) => screen.findByRole('button', { name });
const set = quickSetOf(1, { questions: ['What does `const` promise?\n```js\nconst a = 1;\n```', 'Why?'] });

interface FakeUtterance {
  text: string;
  lang: string;
  voice: { name: string } | null;
  onstart?: () => void;
  onend?: () => void;
}

/** Installs a speech synthesis with two voices, which happy-dom lacks. @returns the calls it received */
function fakeVoices() {
  const spoken: FakeUtterance[] = [];
  const canceled = vi.fn();
  const voices = [
    { name: 'Anna', lang: 'de-DE', default: true, localService: true },
    { name: 'Samantha', lang: 'en_US', default: false, localService: true },
  ];
  const synthesis = Object.assign(new EventTarget(), {
    getVoices: () => voices,
    cancel: canceled,
    speak: (utterance: FakeUtterance) => {
      spoken.push(utterance);
      utterance.onstart?.();
    },
  });
  vi.stubGlobal('speechSynthesis', synthesis);
  vi.stubGlobal(
    'SpeechSynthesisUtterance',
    class {
      lang = '';
      voice = null;
      readonly text: string;
      constructor(text: string) {
        this.text = text;
      }
    },
  );
  onTestFinished(() => localStorage.removeItem(`readAloud:${userOf('others').id}`));
  return { spoken, canceled };
}

async function begin() {
  server.use(http.get('*/api/interviews/sets', () => HttpResponse.json({ interviewSets: [set] })));
  const app = renderApp(`/interview/${set._id}`);
  await button('Start now');
  return app;
}

test('a browser without voices does not offer reading aloud', async () => {
  fakeDevices();
  await begin();
  expect(screen.queryByRole('button', { name: 'Read the question aloud' })).toBeNull();
});

test('off by default; once turned on, questions are read before they are recorded, also in the next interview', async () => {
  const devices = fakeDevices();
  const { spoken } = fakeVoices();
  const app = await begin();
  const choice = await button('Read the question aloud');
  expect(choice).toHaveAttribute('aria-pressed', 'false');
  await userEvent.click(choice);
  expect(choice).toHaveAttribute('aria-pressed', 'true');
  expect(screen.getByText(/Each question is read aloud, then the recording starts\./)).toBeVisible();
  app.unmount();

  await begin();
  expect(await button('Read the question aloud')).toHaveAttribute('aria-pressed', 'true');
  await userEvent.click(await button('Start now'));
  expect(await screen.findByText('Reading the question')).toBeVisible();
  expect(spoken).toMatchObject([
    { text: 'What does const promise? See the code on the screen.', lang: 'en', voice: { name: 'Samantha' } },
  ]);
  expect(devices.recorders).toHaveLength(0);
  await act(async () => spoken[0]?.onend?.());
  expect(await screen.findByText('Recording in progress...')).toBeVisible();
  expect(devices.recorders).toHaveLength(1);
});

test.each(['Answer now', 'Read the question aloud'])(
  "'%s' stops the voice, and then the recording starts",
  async (name) => {
    const devices = fakeDevices();
    const { spoken, canceled } = fakeVoices();
    await begin();
    await userEvent.click(await button('Read the question aloud'));
    await userEvent.click(await button('Start now'));
    await screen.findByText('Reading the question');
    expect(spoken).toHaveLength(1);
    canceled.mockClear();
    canceled.mockImplementation(() => expect(devices.recorders).toHaveLength(0));
    await userEvent.click(await button(name));
    expect(canceled).toHaveBeenCalled();
    expect(await screen.findByText('Recording in progress...')).toBeVisible();
  },
);

test('inline code is read, and a code block is pointed out', () => {
  expect(spokenQuestion(' Compare `==` and\n`===`. ')).toBe('Compare == and ===.');
});
