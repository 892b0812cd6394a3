import type { InterviewSet } from '@interview-prep/contracts/catalog/sets';
import { Badge, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { languageName } from '../lib/formats.ts';
import { unknowns } from '../lib/messages.ts';
import classes from './set-card.module.css';
import { SetIcon } from './set-icon.tsx';

const tagsShown = 3;

interface SetCardProps {
  set: Pick<InterviewSet, 'title' | 'technology' | 'questions' | 'tags' | 'language' | 'createdBy'>;
  /** Before the question count. */
  fact?: ReactNode;
  /** Under the creator. */
  note?: ReactNode;
  /** The buttons; the first one is the widest. */
  actions: ReactNode;
}

/** An interview or a practice set in a list. */
export function SetCard({ set, fact, note, actions }: SetCardProps) {
  const { title, technology, questions, tags } = set;
  const hiddenTags = tags.slice(tagsShown);
  return (
    <li className={classes.card}>
      <div className={classes.head}>
        <SetIcon seed={title} />
        <div className={classes.names}>
          <Title order={2} size="h3" className={classes.title}>
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {technology}
          </Text>
        </div>
      </div>
      <Text size="sm" c="dimmed" className={classes.facts}>
        {fact}
        <span>
          {questions.length} {questions.length === 1 ? 'question' : 'questions'}
        </span>
        {set.language && <span>In {languageName(set.language)}</span>}
      </Text>
      {tags.length > 0 && (
        <ul className={classes.tags} aria-label="Tags">
          {tags.slice(0, tagsShown).map((tag) => (
            <Badge key={tag} component="li" variant="default" tt="none" fw={500} className={classes.tag}>
              {tag}
            </Badge>
          ))}
          {hiddenTags.length > 0 && (
            <Badge component="li" variant="default" tt="none" fw={500} title={hiddenTags.join(', ')}>
              +{hiddenTags.length}
            </Badge>
          )}
        </ul>
      )}
      <Text size="xs" c="dimmed" className={classes.creator} truncate>
        Created by {set.createdBy?.email || unknowns.creator}
      </Text>
      {note}
      <div className={classes.actions}>{actions}</div>
    </li>
  );
}
