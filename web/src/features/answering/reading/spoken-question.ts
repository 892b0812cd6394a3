import { textParts } from '../../../components/marked-text.tsx';

/** A question as a voice reads it: code in a line is read, and a block of code is pointed to. */
export function spokenQuestion(question: string): string {
  return textParts(question.trim())
    .map(({ kind, text }) => (kind === 'block' ? ' See the code on the screen. ' : text))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}
