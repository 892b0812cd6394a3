import { Button, Stack, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useId } from 'react';
import { errorWithin, type FieldErrors } from '../use-checked-form.ts';
import classes from './expert-answers.module.css';
import { ExpertPoints } from './expert-points.tsx';
import { answered, type QuestionLines, questionsOf } from './question-lines.ts';

interface ExpertAnswersProps {
  lines: QuestionLines;
  onChange: (lines: QuestionLines) => void;
  errors: FieldErrors;
}

/** An optional expert answer with its points for each question, folded by default. */
export function ExpertAnswers({ lines, onChange, errors }: ExpertAnswersProps) {
  const [opened, { toggle }] = useDisclosure(false);
  const region = useId();
  const questions = questionsOf(lines);
  const given = questions.filter(({ answer }) => answer.trim() !== '').length;
  // Show errors even if the section is folded.
  const shown = opened || ['expertAnswers', 'expertPoints'].some((name) => errorWithin(errors, name) !== undefined);

  return (
    <section className={classes.section}>
      <div className={classes.head}>
        <Button
          variant="subtle"
          size="compact-md"
          aria-expanded={shown}
          aria-controls={region}
          leftSection={shown ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />}
          onClick={toggle}
        >
          Expert answers (optional)
        </Button>
        {given > 0 && (
          <Text size="sm" c="dimmed" className="tabular">
            {given} of {questions.length}
          </Text>
        )}
      </div>
      <div id={region} hidden={!shown}>
        <Text size="sm" c="dimmed" mb="md">
          Candidates see them after the interview, and answers are scored against them.
        </Text>
        {questions.length === 0 && <Text size="sm">Write the questions first. Each one gets a field here.</Text>}
        <Stack>
          {questions.map(({ question, line, ...pair }, index) => (
            <div key={line}>
              <Textarea
                label={`${index + 1}. ${question}`}
                autosize
                minRows={2}
                maxRows={12}
                value={pair.answer}
                error={errors[`expertAnswers.${index}`]}
                onChange={(event) => onChange(answered(lines, line, { answer: event.currentTarget.value }))}
              />
              <ExpertPoints
                question={question}
                number={index + 1}
                pair={pair}
                onChange={(editedPoints) => onChange(answered(lines, line, { editedPoints }))}
                errors={errors}
              />
            </div>
          ))}
        </Stack>
      </div>
    </section>
  );
}
