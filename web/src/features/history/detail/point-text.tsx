import { expertAnswerText } from '@interview-prep/contracts/expert-answer';
import { expertSentence } from '@interview-prep/contracts/expert-sentence';
import { MarkedText } from '../../../components/marked-text.tsx';
import classes from './point-text.module.css';

/** A point of the expert answer within its whole sentence. What belongs to other points is dimmed. */
export function PointText({ text, expertAnswer }: { text: string; expertAnswer: string | undefined }) {
  const { before, point, after } = expertSentence(text, expertAnswerText(expertAnswer));
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
