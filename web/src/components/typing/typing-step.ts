/** One change of a text that types itself. `at` counts UTF-16 units; a replacement has the length of what it replaces. */
export type TypingEdit = { type: 'append'; text: string } | { type: 'replace'; at: number; text: string };

/** `waitMs` passes before the edit. */
export interface TypingStep {
  waitMs: number;
  edit: TypingEdit;
}

/** The text after an edit. */
export function applyEdit(text: string, edit: TypingEdit): string {
  if (edit.type === 'append') return text + edit.text;
  return text.slice(0, edit.at) + edit.text + text.slice(edit.at + edit.text.length);
}

/** Grapheme clusters: an emoji, or a letter with its accent, is typed at once. */
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

export function* charactersOf(text: string): Generator<string> {
  for (const { segment } of characters.segment(text)) yield segment;
}

/** Types a text evenly. */
export function* evenSteps(text: string, characterMs: number): Generator<TypingStep> {
  for (const character of charactersOf(text)) yield { waitMs: characterMs, edit: { type: 'append', text: character } };
}
