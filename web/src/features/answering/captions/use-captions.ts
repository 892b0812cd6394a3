import { useEffect, useRef, useState } from 'react';
import { languageName } from '../../../lib/language-name.ts';
import { toast } from '../../../lib/toasts.ts';
import { useKeptSwitch } from '../session/use-kept-switch.ts';
import { captionTrack, downloadRecognition, findRecognition, type Recognition } from './device-recognition.ts';

/** Live captions of what is being said: a help while speaking, never the transcript that is judged. */
export interface Captions {
  /** Whether this browser can make them on the device, perhaps after a download. */
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
  const [recognition, setRecognition] = useState<Recognition>({ status: 'unavailable' });
  const [chosen, choose] = useKeptSwitch('captions', userId);
  const [text, setText] = useState('');
  const [failed, setFailed] = useState(false);
  const open = useRef(true);

  useEffect(() => {
    let isCurrent = true;
    setRecognition({ status: 'unavailable' });
    void findRecognition(language).then((found) => isCurrent && setRecognition(found));
    return () => {
      isCurrent = false;
    };
  }, [language]);

  useEffect(() => {
    open.current = true;
    return () => {
      open.current = false;
      toast.dismiss(toastId);
    };
  }, []);

  const tag = chosen && recognition.status === 'ready' ? recognition.tag : null;
  useEffect(() => {
    setText('');
    setFailed(false);
    if (!track || tag === null) return;
    return captionTrack(track, tag, setText, (reason) => {
      console.warn('Captions stopped:', reason);
      setFailed(true);
    });
  }, [track, tag]);

  const download = async (wanted: string) => {
    toast.info(`Your browser is downloading what it needs to caption ${languageName(language)}.`, { id: toastId });
    const isThere = await downloadRecognition(wanted);
    if (!open.current) return;
    if (!isThere) return toast.error('Your browser could not download what captions need.', { id: toastId });
    toast.dismiss(toastId);
    choose(true);
    setRecognition({ status: 'ready', tag: wanted });
  };

  return {
    offered: recognition.status !== 'unavailable',
    shown: tag !== null,
    show: (on) => {
      if (on && recognition.status === 'downloadable') void download(recognition.tag);
      else choose(on);
    },
    text,
    failed,
  };
}
