import { expertAnswerMissing } from '@interview-prep/contracts/expert-answer';
import { UnstyledButton } from '@mantine/core';
import { IconBulb, IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { MarkedText } from '../../../components/marked-text.tsx';
import classes from './folded-answer.module.css';

/** An answer to compare with, folded by default; or a note that there is none. */
export function FoldedAnswer({ title, text }: { title: string; text: string }) {
  const [opened, setOpened] = useState(false);
  const id = useId();
  if (text === expertAnswerMissing) {
    return (
      <p className={classes.missing}>
        <IconBulb size={18} stroke={1.5} aria-hidden />
        <span>
          <span className={classes.missingTitle}>{title}</span>
          {expertAnswerMissing}
        </span>
      </p>
    );
  }
  return (
    <div className={classes.folded}>
      <UnstyledButton
        className={classes.toggle ?? ''}
        aria-expanded={opened}
        aria-controls={id}
        onClick={() => setOpened(!opened)}
      >
        <IconBulb size={18} stroke={1.5} aria-hidden />
        <span>{title}</span>
        <IconChevronRight size={18} stroke={1.75} aria-hidden className={classes.chevron} data-opened={opened} />
      </UnstyledButton>
      <div id={id} hidden={!opened} className={classes.answer}>
        <MarkedText>{text}</MarkedText>
      </div>
    </div>
  );
}
