/** Stands where there is no expert answer. Source: product specification, section 8, expert answer rule. */
export const expertAnswerMissing = 'Expert Answer Is Not Available';

const failed = /processing failed/i;
const lead = /(?:\bmy\s+answer\s+would\s+be|\banswer)\s*:/i;

/**
 * The part of an expert response that is shown: what follows a phrase like 'my answer would be:' or 'Answer:',
 * or the whole where there is no such phrase; the fallback where nothing is left.
 */
export function expertAnswerText(response: string | null | undefined): string {
  const text = response?.trim() ?? '';
  if (text === '' || failed.test(text)) return expertAnswerMissing;
  const match = lead.exec(text);
  const shown = match ? text.slice(match.index + match[0].length).trim() : text;
  return shown === '' ? expertAnswerMissing : shown;
}
