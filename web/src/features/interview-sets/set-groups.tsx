import type { InterviewSet } from '@interview-prep/contracts/sets';
import { Title } from '@mantine/core';
import type { LastTaken } from '../../lib/api/last-taken.ts';
import { InterviewSetCard } from './interview-set-card.tsx';
import classes from './interview-sets-screen.module.css';

interface SetGroupsProps {
  sets: readonly InterviewSet[];
  /** The slugs of the user's technologies; with some, these sets stand under a heading of their own. */
  own: readonly string[];
  taken: Readonly<Record<string, LastTaken>>;
  editable: boolean;
}

/** A page of sets: those of the user's technologies, then the others. */
export function SetGroups({ sets, own, taken, editable }: SetGroupsProps) {
  const isOwn = ({ technologySlug }: InterviewSet) => own.includes(technologySlug);
  const groups = [
    { title: 'Your technologies', its: sets.filter(isOwn) },
    { title: 'Other technologies', its: sets.filter((set) => !isOwn(set)) },
  ].filter(({ its }) => its.length > 0);
  return groups.map(({ title, its }) => (
    <section key={title} className={classes.group}>
      {own.length > 0 && (
        <Title order={2} size="h3" className={classes.groupTitle ?? ''}>
          {title}
        </Title>
      )}
      <ul className={classes.grid}>
        {its.map((set) => (
          <InterviewSetCard key={set._id} set={set} editable={editable} lastTaken={taken[set._id]} />
        ))}
      </ul>
    </section>
  ));
}
