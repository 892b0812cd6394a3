import classes from './captions-panel.module.css';
import type { Captions } from './use-captions.ts';

/** The latest words of the answer. Not a live region: a screen reader would speak into the recording. */
export function CaptionsPanel({ captions }: { captions: Captions }) {
  return (
    <section className={classes.panel} aria-label="Live captions">
      {captions.text ? (
        <p className={classes.words}>{captions.text}</p>
      ) : (
        !captions.failed && (
          <p className={classes.note}>Your words appear here as you speak. Your browser writes them on this device.</p>
        )
      )}
      <p className={classes.note}>
        {captions.failed
          ? 'Captions stopped. Your answer is still being recorded.'
          : 'Captions make mistakes. Your answer is judged by its own transcript.'}
      </p>
    </section>
  );
}
