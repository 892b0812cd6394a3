import type { FollowUpRequest } from '../assessor.ts';
import { findTopics } from './find-topics.ts';
import { followUpTemplates } from './follow-up-templates.ts';
import { stemsOf } from './word-weight.ts';

/**
 * A follow-up question by template: it names a term of the point and asks for what that kind of point says of it. Terms that
 * the answer did not name come first; those of the question itself are no use.
 * @returns null where the language has no templates, or the point no such term
 */
export function askByTemplate({ question, transcript, point, language }: FollowUpRequest): string | null {
  const templates = followUpTemplates[language];
  if (!templates) return null;
  const asked = stemsOf(question);
  const said = stemsOf(transcript);
  const topics = findTopics(point).filter(({ stems }) => !stems.every((stem) => asked.has(stem)));
  const isNamed = ({ stems }: (typeof topics)[number]) => stems.every((stem) => said.has(stem));
  const topic = topics.find((each) => !isNamed(each)) ?? topics[0];
  if (!topic) return null;
  const kind = templates.kinds.find(({ cue }) => cue.test(point));
  const text = `${isNamed(topic) ? templates.named : templates.unnamed} ${kind?.question ?? templates.otherwise}`;
  return text.replace('{topic}', topic.text);
}
