import type { InterviewSet, PracticeSet } from '@interview-prep/contracts/catalog/sets';
import type { Technology } from '@interview-prep/contracts/catalog/technologies';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { Anchor, Button, FileButton, Group, Modal, Radio, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconUpload } from '@tabler/icons-react';
import { useEffect } from 'react';
import { FileErrorList } from '../../../components/file-error-list.tsx';
import { saveFile } from '../../../lib/files.ts';
import { countOf } from '../../../lib/formats.ts';
import { FormError } from '../busy-fieldset.tsx';
import { setsToCsv } from './csv-file.ts';
import { type FileSet, setKinds } from './file-set.ts';
import { SavingList } from './import-lists.tsx';
import { countOfStatus, type Existing, savingsOf } from './import-state.ts';
import { useSetImport } from './use-set-import.ts';

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

interface ExistingChoiceProps {
  count: number;
  nouns: readonly [one: string, many: string];
  value: Existing;
  onChange: (value: Existing) => void;
}

/** Asks how to handle sets that already exist. */
function ExistingChoice({ count, nouns: [one, many], value, onChange }: ExistingChoiceProps) {
  const it = count === 1 ? 'it' : 'them';
  return (
    <Radio.Group
      label={`${countOf(count, one, many)} already ${count === 1 ? 'exists' : 'exist'}`}
      value={value}
      onChange={(chosen) => onChange(chosen as Existing)}
    >
      <Stack gap={6} mt={6}>
        <Radio value="skip" label={`Skip ${it}`} description="Nothing changes." />
        <Radio
          value="replace"
          label={`Replace ${it}`}
          description="The file replaces what is saved. What the file leaves blank stays, and so do interviews already taken. The list below says what changes."
        />
      </Stack>
    </Radio.Group>
  );
}

interface ImportDialogProps {
  kind: SessionKind;
  technologies: readonly Technology[];
  sets: readonly (InterviewSet | PracticeSet)[];
  opened: boolean;
  onClose: () => void;
  /** Whether sets are being saved, or failed and can be retried. */
  onPending: (pending: boolean) => void;
}

/** Imports sets from a file: choose, review errors or sets, save, retry failures. */
export default function ImportDialog({ kind, technologies, sets, opened, onClose, onPending }: ImportDialogProps) {
  const { state, choose, chooseExisting, save, restart } = useSetImport(kind, { technologies, sets });
  const small = useMediaQuery('(max-width: 48em)');
  const { nouns } = setKinds[kind];
  const [one, many] = nouns;
  const saving = state.status === 'saving';
  const failed = state.status === 'done' ? countOfStatus(state.savings, 'failed') : 0;
  const existing = 'sets' in state ? state.sets.filter(({ replaces }) => replaces).length : 0;
  const savings = savingsOf(state);
  const skipped = countOfStatus(savings, 'skipped');
  const toSave = savings.length - skipped;

  const pending = opened && (saving || failed > 0);
  useEffect(() => onPending(pending), [pending, onPending]);

  const close = () => {
    if (saving) return;
    onClose();
    restart();
  };
  const chooser = (label: string, variant: 'filled' | 'default') => (
    <FileButton accept=".csv,.json,text/csv,application/json" onChange={(file) => file && choose(file)}>
      {(props) => (
        <Button {...props} variant={variant} leftSection={<IconUpload size={16} aria-hidden />}>
          {label}
        </Button>
      )}
    </FileButton>
  );

  return (
    <Modal
      opened={opened}
      onClose={close}
      title={`Import ${many}`}
      size={720}
      fullScreen={small ?? false}
      closeButtonProps={{ 'aria-label': 'Close', disabled: saving }}
    >
      <Stack>
        {'fileName' in state && (
          <Text size="sm" c="dimmed">
            {state.fileName}
          </Text>
        )}
        {state.status === 'choosing' && (
          <>
            <FileFormat kind={kind} />
            <Group>{chooser('Choose a file', 'filled')}</Group>
          </>
        )}
        {state.status === 'reading' && <Text role="status">Reading the file…</Text>}
        {state.status === 'invalid' && (
          <>
            <FormError>
              {`Nothing is saved yet. Fix ${countOf(state.errors.length, 'error')} in the file, then choose it again.`}
            </FormError>
            <FileErrorList errors={state.errors} />
            <Group>{chooser('Choose the file again', 'filled')}</Group>
          </>
        )}
        {state.status === 'ready' && (
          <>
            <Text role="status" fw={600}>
              {countOf(state.sets.length, one, many)} with{' '}
              {countOf(
                state.sets.reduce((sum, { body }) => sum + body.questions.length, 0),
                'question',
              )}{' '}
              can be imported. Nothing is saved yet.
            </Text>
            {existing > 0 && (
              <ExistingChoice count={existing} nouns={nouns} value={state.existing} onChange={chooseExisting} />
            )}
            <SavingList sets={state.sets} existing={state.existing} />
            <Group>
              <Button onClick={save} disabled={toSave === 0}>
                {toSave === 0 ? 'Nothing to import' : `Import ${countOf(toSave, one, many)}`}
              </Button>
              {chooser('Choose another file', 'default')}
            </Group>
          </>
        )}
        {'savings' in state && (
          <>
            <Text role="status" fw={600} className="tabular">
              {countOfStatus(state.savings, 'saved')} of {countOf(toSave, one, many)} saved
              {failed > 0 && `, ${failed} failed`}
              {skipped > 0 && `, ${skipped} skipped`}
            </Text>
            <SavingList sets={state.sets} savings={state.savings} />
            <Group>
              {failed > 0 && <Button onClick={save}>Try {countOf(failed, one, many)} again</Button>}
              <Button variant={failed > 0 ? 'default' : 'filled'} loading={saving} onClick={close}>
                Close
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Modal>
  );
}

/** Describes the import format, with an example to download. */
function FileFormat({ kind }: { kind: SessionKind }) {
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
