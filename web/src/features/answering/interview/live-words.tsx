import { IconBadgeCc, IconBadgeCcFilled } from '@tabler/icons-react';
import { useLiveWords } from '../../../lib/live/live-recordings-api.ts';
import { IconToggle } from '../session/icon-toggle.tsx';
import classes from './interview-layout.module.css';

export function LiveWordsToggle({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  const Icon = isOn ? IconBadgeCcFilled : IconBadgeCc;
  return (
    <IconToggle label="Show words as I speak" isOn={isOn} onChange={onChange}>
      <Icon size={18} />
    </IconToggle>
  );
}

/** The live transcript of an answer. Not a live region: a screen reader would speak into the recording. */
export function LiveWordsPanel({ draftId }: { draftId: string | null }) {
  const words = useLiveWords();
  const text = words !== null && words.uploadId === draftId ? words.text : '';
  return (
    <section className={classes.words} aria-label="Words as you speak">
      {text || 'Your words appear here after each pause.'}
    </section>
  );
}
