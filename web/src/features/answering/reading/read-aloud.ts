/** Timeout for a voice to start: some browsers have voices that never respond. */
const beginWithinMs = 4000;
/** The slowest plausible reading speed, as a timeout: Chromium's voices sometimes end without an event. */
const slowestMsPerCharacter = 150;

/** Whether the browser has a voice. Voices may load shortly after the page. */
export function hasVoices(): boolean {
  return typeof speechSynthesis !== 'undefined' && speechSynthesis.getVoices().length > 0;
}

/** Calls `changed` when the browser's voices change. @returns unsubscribes */
export function watchVoices(changed: () => void): () => void {
  if (typeof speechSynthesis === 'undefined') return () => {};
  // Safari's synthesis is not an EventTarget.
  speechSynthesis.addEventListener?.('voiceschanged', changed);
  return () => speechSynthesis.removeEventListener?.('voiceschanged', changed);
}

/**
 * Reads a text aloud. Resolves when it has been read, when the voice fails, or at once when the signal
 * aborts, which also silences the voice. Never rejects.
 * @param language ISO 639-1
 */
export function readAloud(text: string, language: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timers: ReturnType<typeof setTimeout>[] = [];
    const end = () => {
      for (const timer of timers) clearTimeout(timer);
      signal.removeEventListener('abort', end);
      speechSynthesis.cancel();
      resolve();
    };
    if (signal.aborted || text === '' || !hasVoices()) return resolve();
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.lang = language;
    const voice = voiceFor(language);
    if (voice) utterance.voice = voice;
    const unbegun = setTimeout(end, beginWithinMs);
    timers.push(unbegun, setTimeout(end, beginWithinMs + text.length * slowestMsPerCharacter));
    utterance.onstart = () => clearTimeout(unbegun);
    utterance.onend = end;
    utterance.onerror = end;
    signal.addEventListener('abort', end);
    // Otherwise, text queued by another page would be read first.
    speechSynthesis.cancel();
    speechSynthesis.speak(utterance);
  });
}

/** Chooses a voice of the language, preferably the browser's default and one that works offline. */
function voiceFor(language: string): SpeechSynthesisVoice | undefined {
  const speaks = (voice: SpeechSynthesisVoice) => voice.lang.toLowerCase().split(/[-_]/)[0] === language;
  const rank = (voice: SpeechSynthesisVoice) => Number(voice.default) + Number(voice.localService);
  return speechSynthesis
    .getVoices()
    .filter(speaks)
    .toSorted((one, other) => rank(other) - rank(one))[0];
}
