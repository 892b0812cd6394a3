/** One edit of a self-typing text. `at` counts UTF-16 code units; a replacement is as long as the text that it replaces. */
export type TypingEdit = { type: 'append'; text: string } | { type: 'replace'; at: number; text: string };

/** An edit, after a delay of `waitMs`. */
export interface TypingStep {
  waitMs: number;
  edit: TypingEdit;
}

export function applyEdit(text: string, edit: TypingEdit): string {
  if (edit.type === 'append') return text + edit.text;
  return text.slice(0, edit.at) + edit.text + text.slice(edit.at + edit.text.length);
}

/** Grapheme clusters: an emoji or an accented letter is typed in one step. */
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

export function* charactersOf(text: string): Generator<string> {
  for (const { segment } of characters.segment(text)) yield segment;
}

/** Types a text at a constant rate. */
export function* evenSteps(text: string, characterMs: number): Generator<TypingStep> {
  for (const character of charactersOf(text)) yield { waitMs: characterMs, edit: { type: 'append', text: character } };
}
