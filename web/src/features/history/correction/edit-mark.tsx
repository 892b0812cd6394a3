import { type EditState, editStateOf } from '@interview-prep/contracts/recording/edited-words';
import type { SessionRecording } from '../session-types.ts';

const marks: Record<EditState, { label: string; title: string }> = {
  counts: {
    label: 'Edited words',
    title: 'This score depends on words that were edited. No reviewer has confirmed it.',
  },
  'in-review': { label: 'Sent for review', title: 'A reviewer decides about the edited transcript.' },
};

/** Says that a score depends on edited words, until a person has judged the answer. */
export function EditMark({ recording }: { recording: SessionRecording }) {
  const state = editStateOf(recording);
  if (!state) return null;
  return <span title={marks[state].title}>{marks[state].label}</span>;
}
