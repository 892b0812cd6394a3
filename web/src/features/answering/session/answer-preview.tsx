import { useEffect, useState } from 'react';
import type { RecordedAnswer } from '../../../lib/drafts/recorded-answer.ts';
import classes from './unsent-answers.module.css';

/** Plays an answer that this browser has. */
export function AnswerPreview({ answer: { blob } }: { answer: RecordedAnswer }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  const Media = blob.type.startsWith('video/') ? 'video' : 'audio';
  return <Media className={classes.preview} controls src={url} aria-label="Your answer" />;
}
