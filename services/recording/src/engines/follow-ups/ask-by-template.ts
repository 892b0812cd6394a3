import { stemOf } from '../reference/stem.ts';
import { tokensOf, wordsOf } from '../reference/tokens.ts';
import { findTopics } from './find-topics.ts';
import type { FollowUpRequest } from './follow-up-request.ts';
import { followUpTemplates } from './follow-up-templates.ts';

const tokensMax = 10_000;

const stemsIn = (text: string): Set<string> =>
  new Set(tokensOf(wordsOf(text), tokensMax).map((token) => stemOf(token.text)));

/**
 * A follow-up question by template: it names a term of the point and asks for what that kind of point says of it. Terms that
 * the answer did not name come first; those of the question itself are no use.
 * @returns null where the language has no templates, or the point no such term
 */
export function askByTemplate({ question, transcript, point, language }: FollowUpRequest): string | null {
  const templates = followUpTemplates[language];
  if (!templates) return null;
  const asked = stemsIn(question);
  const said = stemsIn(transcript);
  const topics = findTopics(point).filter(({ stems }) => !stems.every((stem) => asked.has(stem)));
  const isNamed = ({ stems }: (typeof topics)[number]) => stems.every((stem) => said.has(stem));
  const topic = topics.find((each) => !isNamed(each)) ?? topics[0];
  if (!topic) return null;
  const kind = templates.kinds.find(({ cue }) => cue.test(point));
  const text = `${isNamed(topic) ? templates.named : templates.unnamed} ${kind?.question ?? templates.otherwise}`;
  return text.replace('{topic}', topic.text);
}
