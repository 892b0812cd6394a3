import { useEffect, useRef, useState } from 'react';
import { languageName } from '../../../lib/language-name.ts';
import { toast } from '../../../lib/toasts.ts';
import { useKeptSwitch } from '../session/use-kept-switch.ts';
import { captionTrack, downloadRecognition, findRecognition, hasLocalRecognition } from './device-recognition.ts';

/** Live captions of what is being said: a help while speaking, never the transcript that is judged. */
export interface Captions {
  /** Whether this browser can recognise speech on the device. For which languages is asked once captions are wanted. */
  offered: boolean;
  shown: boolean;
  show: (shown: boolean) => void;
  /** What was recognised of the current recording. */
  text: string;
  failed: boolean;
}

const toastId = 'captions';

/**
 * Captions of a microphone's track.
 * @param language ISO 639-1
 * @param track null while nothing is recorded
 */
export function useCaptions(userId: string, language: string, track: MediaStreamTrack | null): Captions {
  const [ready, setReady] = useState<{ language: string; tag: string } | null>(null);
  const [chosen, choose] = useKeptSwitch('captions', userId);
  const [text, setText] = useState('');
  const [failed, setFailed] = useState(false);
  const open = useRef(true);

  useEffect(() => {
    if (!chosen) return;
    let isCurrent = true;
    void findRecognition(language).then((found) => {
      if (isCurrent && found.status === 'ready') setReady({ language, tag: found.tag });
    });
    return () => {
      isCurrent = false;
    };
  }, [chosen, language]);

  useEffect(() => {
    open.current = true;
    return () => {
      open.current = false;
      toast.dismiss(toastId);
    };
  }, []);

  const tag = chosen && ready?.language === language ? ready.tag : null;
  useEffect(() => {
    setText('');
    setFailed(false);
    if (!track || tag === null) return;
    return captionTrack(track, tag, setText, (reason) => {
      console.warn('Captions stopped:', reason);
      setFailed(true);
    });
  }, [track, tag]);

  const turnOn = async () => {
    const found = await findRecognition(language);
    if (!open.current) return;
    if (found.status === 'unavailable') {
      return toast.error(`Your browser cannot caption ${languageName(language)} on this device.`, { id: toastId });
    }
    if (found.status === 'downloadable' && !(await download(found.tag))) return;
    setReady({ language, tag: found.tag });
    choose(true);
  };

  /** @returns whether captions can begin */
  const download = async (wanted: string): Promise<boolean> => {
    toast.info(`Your browser is downloading what it needs to caption ${languageName(language)}.`, { id: toastId });
    const isThere = await downloadRecognition(wanted);
    if (!open.current) return false;
    if (isThere) toast.dismiss(toastId);
    else toast.error('Your browser could not download what captions need.', { id: toastId });
    return isThere;
  };

  return {
    offered: hasLocalRecognition(),
    shown: tag !== null,
    show: (on) => {
      if (on) void turnOn();
      else choose(false);
    },
    text,
    failed,
  };
}
