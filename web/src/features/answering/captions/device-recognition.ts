/** What this browser can recognise by itself: now, after it downloads a language pack, or not at all. */
export type Recognition = { status: 'ready' | 'downloadable'; tag: string } | { status: 'unavailable' };

interface LanguageOptions {
  langs: string[];
  processLocally: true;
}

/** The part of the Web Speech API that captions need; TypeScript's DOM types do not have it. */
interface Recogniser extends EventTarget {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  processLocally: boolean;
  start(track: MediaStreamTrack): void;
  abort(): void;
}

interface RecogniserClass {
  new (): Recogniser;
  prototype: Recogniser;
  available?(options: LanguageOptions): Promise<'unavailable' | 'downloadable' | 'downloading' | 'available'>;
  install?(options: LanguageOptions): Promise<boolean>;
}

/** A run that ends sooner recognised nothing; as many in a row are a failure. */
const shortRunMs = 1000;
const shortRunsAllowed = 3;

/**
 * The browser's recogniser, if it can be held to the device. Others send the sound to their vendor: the prefixed one of
 * older Chrome and of Safari, and any without `processLocally`.
 */
function localRecogniser(): RecogniserClass | null {
  const found = (globalThis as { SpeechRecognition?: RecogniserClass }).SpeechRecognition;
  return found?.available && 'processLocally' in found.prototype ? found : null;
}

/** Whether the browser can recognise speech without sending it away. Only checks that the API is there. */
export function hasLocalRecognition(): boolean {
  return localRecogniser() !== null;
}

/** The tags to try for a language: as the user's browser writes it, then with its usual region. Packs have regions. */
function tagsOf(language: string): string[] {
  const { region } = new Intl.Locale(language).maximize();
  const own = navigator.languages.filter((tag) => tag.startsWith(`${language}-`));
  return [...new Set([...own, ...(region ? [`${language}-${region}`] : []), language])];
}

/**
 * Finds out whether the browser recognises a language on the device. Never rejects. Only for those who want captions:
 * Chromium's headless shell has the call and no service behind it, and its page crashes.
 * @param language ISO 639-1
 */
export async function findRecognition(language: string): Promise<Recognition> {
  const recogniser = localRecogniser();
  if (!recogniser) return { status: 'unavailable' };
  let downloadable: Recognition = { status: 'unavailable' };
  try {
    for (const tag of tagsOf(language)) {
      const status = await recogniser.available?.({ langs: [tag], processLocally: true });
      if (status === 'available') return { status: 'ready', tag };
      const isOffered = status === 'downloadable' || status === 'downloading';
      if (isOffered && downloadable.status === 'unavailable') downloadable = { status: 'downloadable', tag };
    }
  } catch (error) {
    console.warn('The browser does not say whether it can recognise speech', error);
  }
  return downloadable;
}

/** Has the browser download its pack for a language. Never rejects. @returns whether it is there */
export async function downloadRecognition(tag: string): Promise<boolean> {
  try {
    return (await localRecogniser()?.install?.({ langs: [tag], processLocally: true })) ?? false;
  } catch (error) {
    console.warn('The browser cannot download its speech recognition', error);
    return false;
  }
}

/**
 * Captions a microphone's track on the device, until the returned function is called. The track stays open.
 * @param onText all that was recognised so far, the last words still uncertain
 * @param onFailure nothing more is recognised
 */
export function captionTrack(
  track: MediaStreamTrack,
  tag: string,
  onText: (text: string) => void,
  onFailure: (reason: string) => void,
): () => void {
  const Recogniser = localRecogniser();
  if (!Recogniser) {
    onFailure('unavailable');
    return () => {};
  }
  const recogniser = new Recogniser();
  Object.assign(recogniser, { lang: tag, continuous: true, interimResults: true, processLocally: true });
  let earlier = '';
  let text = '';
  let failure: string | null = null;
  let beganAtMs = 0;
  let shortRuns = 0;
  let stopped = false;

  const start = () => {
    beganAtMs = Date.now();
    try {
      recogniser.start(track);
    } catch (error) {
      onFailure(String(error));
    }
  };
  recogniser.addEventListener('result', (event) => {
    if (stopped) return;
    const { results } = event as Event & { results: ArrayLike<ArrayLike<{ transcript: string }>> };
    const said = Array.from(results, (result) => result[0]?.transcript.trim() ?? '');
    text = [earlier, ...said].filter(Boolean).join(' ');
    onText(text);
  });
  recogniser.addEventListener('error', (event) => {
    const { error } = event as Event & { error: string };
    if (error !== 'no-speech') failure = error;
  });
  // A recogniser ends after a silence, though the answer may continue.
  recogniser.addEventListener('end', () => {
    if (stopped) return;
    shortRuns = Date.now() - beganAtMs < shortRunMs ? shortRuns + 1 : 0;
    if (failure !== null || shortRuns === shortRunsAllowed) return onFailure(failure ?? 'ended');
    earlier = text;
    start();
  });
  start();
  return () => {
    stopped = true;
    recogniser.abort();
  };
}
