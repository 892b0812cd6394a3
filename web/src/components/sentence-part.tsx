import type { PointInSentence } from '@interview-prep/contracts/catalog/expert-sentence';
import { MarkedText } from './marked-text.tsx';
import classes from './sentence-part.module.css';

/** A point within its sentence; the rest is dimmed. */
export function SentencePart({ before, point, after }: PointInSentence) {
  return (
    <span className={classes.sentence}>
      {before && (
        <span className={classes.rest}>
          <MarkedText>{before}</MarkedText>{' '}
        </span>
      )}
      <MarkedText>{point}</MarkedText>
      {after && (
        <span className={classes.rest}>
          {after.startsWith(' ') && ' '}
          <MarkedText>{after}</MarkedText>
        </span>
      )}
    </span>
  );
}
