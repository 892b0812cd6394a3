import { ExpertPoint } from '@interview-prep/contracts/catalog/expert-points';
import { Button, VisuallyHidden } from '@mantine/core';
import { IconListCheck } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { fallbacks } from '../../../lib/messages.ts';
import { useCheckPointsMutation } from './point-trials-api.ts';

interface Checked {
  question: string;
  points: readonly ExpertPoint[];
  inQuestion: readonly string[];
}

/**
 * Asks the judge which points the question already makes.
 * @returns the button, what came of it in words, and whether a point with this text was found in the question
 */
export function useQuestionCheck(question: string, points: readonly ExpertPoint[], of: string) {
  const [checked, setChecked] = useState<Checked | null>(null);
  const [check, { isLoading, error }] = useCheckPointsMutation();
  // Points that are not filled in yet can't be checked.
  const complete = points.filter((point) => ExpertPoint.safeParse(point).success);
  const run = async () => {
    const { data } = await check({ question, points: complete });
    if (data) setChecked({ question, points: complete, inQuestion: data });
  };
  const isCurrent = checked?.question === question;
  const isUnchanged = isCurrent && JSON.stringify(checked.points) === JSON.stringify(complete);
  const button: ReactNode = (
    <Button
      variant="default"
      size="xs"
      loading={isLoading}
      disabled={question.trim() === '' || complete.length === 0}
      leftSection={<IconListCheck size={14} aria-hidden />}
      onClick={run}
    >
      Compare with the question<VisuallyHidden> ({of})</VisuallyHidden>
    </Button>
  );
  const outcome = () => {
    if (error) return errorMessage(error, fallbacks.checkPoints);
    if (isUnchanged && checked.inQuestion.length === 0) return 'The question gives none of these points away.';
    return '';
  };
  return {
    button,
    outcome: outcome(),
    isInQuestion: (text: string) => isCurrent && checked.inQuestion.includes(text.trim()),
  };
}
