import type { Overruled, RosterQuestion } from '@interview-prep/contracts/history/rosters';
import { Button, Text, Title } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { useOverruledQuery } from '../../../lib/api/assignments-api.ts';
import { countOf } from '../../../lib/formats.ts';
import classes from './report.module.css';

/** Prints the page; browsers can also save it as a PDF. */
export function PrintButton() {
  return (
    <Button variant="default" leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => window.print()}>
      Print, or save as PDF
    </Button>
  );
}

/** Key figures at a glance. */
export function ReportFacts({ facts }: { facts: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** 'In this group, people reviewed 12 of the 240 scores and changed 5 of them, by 14 points on average.' */
function overruledText({ scored, reviewed, changed, points }: Overruled): string {
  const of = countOf(scored, 'score');
  if (reviewed === 0)
    return `In this group, no person has reviewed ${scored === 1 ? 'the score' : `any of the ${of}`}.`;
  const what = changed === 0 ? 'changed none of them' : `changed ${changed} of them, by ${points} points on average`;
  return `In this group, people reviewed ${reviewed} of the ${of} and ${what}. A person’s score counts in place of the judge’s.`;
}

/** The judge's display name: the version of the built-in one means nothing to readers. */
const judgeName = (engine: string) => (engine.split(' ')[0] === 'reference' ? 'the built-in judge' : engine);

interface AboutScoresProps {
  groupId: string;
  questions: readonly RosterQuestion[];
}

/** Explains the judge, how often reviewers changed its scores in the group, and the limits of a score. */
export function AboutScores({ groupId, questions }: AboutScoresProps) {
  const { data, error } = useOverruledQuery({ groupId }, { refetchOnMountOrArgChange: true });
  const judges = [...new Set(questions.flatMap(({ engines }) => engines).map(judgeName))];
  return (
    <section className={classes.card} aria-labelledby="about-scores">
      <Title order={2} size="h4" id="about-scores">
        What the scores mean
      </Title>
      <Text size="sm" mt="xs">
        Each answer was recorded, transcribed by a program, and compared
        {judges.length > 0 && ` by ${new Intl.ListFormat('en').format(judges)}`} with the expert’s answer, point by
        point. A score is the share of the points that the answer makes, by their weight.
      </Text>
      <Text size="sm" mt="xs">
        {data ? overruledText(data) : error && errorMessage(error, 'Failed to fetch how often people changed scores')}
      </Text>
      <Text size="sm" mt="xs">
        A score does not say
      </Text>
      <ul className={classes.limits}>
        <li>whether examples are true, or the speaker’s own: only what was said is compared;</li>
        <li>how well somebody speaks: pace, fillers and pauses are measured apart, and change no score;</li>
        <li>what the transcript missed: noise, accents and rare terms lead to misheard words;</li>
        <li>how somebody would do in another interview: differences of a few points mean little.</li>
      </ul>
    </section>
  );
}
