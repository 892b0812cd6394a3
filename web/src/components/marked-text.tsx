import classes from './marked-text.module.css';
import { textParts } from './marked-text-parts.ts';

/** A question or an expert answer: plain text whose `inline code` and fenced code are set as code. Never HTML. */
export function MarkedText({ children }: { children: string }) {
  return (
    <span className={classes.text}>
      {textParts(children.trim()).map(({ kind, text }, index) => {
        // Parts may repeat, so the index is the key.
        const key = `${index}`;
        if (kind === 'text') return <span key={key}>{text}</span>;
        return (
          <code key={key} className={kind === 'block' ? classes.block : classes.code}>
            {text}
          </code>
        );
      })}
    </span>
  );
}
