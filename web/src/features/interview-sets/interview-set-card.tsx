import type { InterviewSet } from '@interview-prep/contracts/sets';
import { Badge, Button, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { exactTime, timeAgo } from '../../app/formats.ts';
import { unknowns } from '../../app/messages.ts';
import { paths } from '../../app/paths.ts';
import classes from './interview-set-card.module.css';
import type { LastTaken } from './last-taken.ts';
import { SetIcon } from './set-icon.tsx';

/** Source: product specification, section 9, fixed displayed rating. */
const rating = '4.5';
const tagsShown = 3;

interface InterviewSetCardProps {
  set: InterviewSet;
  /** Admins get 'Edit'. */
  editable: boolean;
  lastTaken: LastTaken | undefined;
}

/** A set in the list, with its one clear action. */
export function InterviewSetCard({ set, editable, lastTaken }: InterviewSetCardProps) {
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
        <span role="img" aria-label={`Rated ${rating} of 5`}>
          ★ {rating}
        </span>
        <span>
          {questions.length} {questions.length === 1 ? 'question' : 'questions'}
        </span>
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
      {lastTaken && (
        <Text size="xs" className={classes.taken}>
          Last taken <time title={exactTime(lastTaken.at)}>{timeAgo(lastTaken.at)}</time>
          {lastTaken.average !== null && `, ${Math.round(lastTaken.average)} %`}
        </Text>
      )}
      <div className={classes.actions}>
        <Button component={Link} to={paths.interview(set._id)} aria-label={`Take Interview: ${title}`}>
          Take Interview
        </Button>
        {editable && (
          <Button component={Link} to={paths.editSet(set._id)} variant="default" aria-label={`Edit: ${title}`}>
            Edit
          </Button>
        )}
      </div>
    </li>
  );
}
