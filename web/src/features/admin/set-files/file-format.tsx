import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { Anchor, Text } from '@mantine/core';
import { saveFile } from '../../../lib/save-file.ts';
import { setsToCsv } from './csv-file.ts';
import { type FileSet, setKinds } from './file-set.ts';

const example: FileSet = {
  title: 'JavaScript basics',
  technology: 'javascript',
  tags: ['basics', 'beginner'],
  vocabulary: ['lexical scope', 'const'],
  language: 'en',
  status: 'published',
  timing: { thinkingSeconds: 30, timeLimitSeconds: 180, lengthHintSeconds: 120 },
  pairs: [
    { question: 'What is a closure?', answer: 'A function together with the variables around it.' },
    { question: 'What does `const` promise?', answer: 'That the name is never bound to another value.' },
  ],
};

/** Describes the import format, with an example to download. */
export function FileFormat({ kind }: { kind: SessionKind }) {
  const { answerColumn, fileName, canAskFollowUps, timing } = setKinds[kind];
  const optional = kind === 'interview' ? ' (may be empty)' : '';
  return (
    <>
      <Text>
        Choose a CSV or JSON file in the format that Export writes. The whole file is checked first: nothing is saved
        until every row is valid. Where a set with the same title and technology exists, you can replace it or skip it.
      </Text>
      <Text size="sm" c="dimmed">
        CSV has one row per question, with the columns <b>title</b>, <b>technology</b>, <b>tags</b>, <b>question</b> and{' '}
        <b>{answerColumn}</b>
        {optional}. Rows with the same title and technology become one set. To keep sets with the same title apart,
        number them in the column <b>set</b>. Optional: <b>vocabulary</b>, the terms to listen for, <b>language</b>, the
        code of what is spoken, for example de, and <b>status</b>: draft, published or archived.{' '}
        {canAskFollowUps && (
          <>
            <b>follow-ups</b> says yes where interviews ask follow-up questions, and <b>points</b> has the points of the
            expert answer as JSON.{' '}
          </>
        )}
        {timing.length > 0 && (
          <>
            Interview sets may also have <b>thinkingSeconds</b>, <b>timeLimitSeconds</b> and <b>lengthHintSeconds</b>,
            the times of each answer.{' '}
          </>
        )}
        <Anchor
          component="button"
          type="button"
          inherit
          onClick={async () => saveFile(`${fileName}-example.csv`, await setsToCsv(kind, [example]), 'text/csv')}
        >
          Download an example
        </Anchor>
      </Text>
    </>
  );
}
