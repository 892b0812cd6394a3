/** Shown for a missing expert answer. Source: product specification, section 8, expert answer rule. */
export const expertAnswerMissing = 'Expert Answer Is Not Available';

const failed = /processing failed/i;
const lead = /(?:\bmy\s+answer\s+would\s+be|\banswer)\s*:/i;

/**
 * The part of an expert response to show: the text after a phrase like 'my answer would be:' or 'Answer:', or all of it
 * without such a phrase; the fallback if nothing is left.
 */
export function expertAnswerText(response: string | null | undefined): string {
  const text = response?.trim() ?? '';
  if (text === '' || failed.test(text)) return expertAnswerMissing;
  const match = lead.exec(text);
  const shown = match ? text.slice(match.index + match[0].length).trim() : text;
  return shown === '' ? expertAnswerMissing : shown;
}
