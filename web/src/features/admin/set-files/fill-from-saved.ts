import type { InterviewSet, NewInterviewSet, NewPracticeSet, PracticeSet } from '@interview-prep/contracts/sets';

/**
 * The content that replaces a saved set. What the file leaves blank keeps its value: tags, and the expert answer of a
 * question with the same text. The API does the same with a vocabulary and a language that it is not sent.
 */
export function fillFromSaved<Body extends NewInterviewSet | NewPracticeSet>(
  body: Body,
  saved: InterviewSet | PracticeSet,
): Body {
  const tags = body.tags.length > 0 ? body.tags : saved.tags;
  if (!('expertAnswers' in body) || body.expertAnswers === undefined) return { ...body, tags };
  const answers = 'expertAnswers' in saved ? saved.expertAnswers : undefined;
  const answerOf = new Map(saved.questions.map((question, index) => [question, answers?.[index] ?? '']));
  const expertAnswers = body.expertAnswers.map(
    (answer, index) => answer || (answerOf.get(body.questions[index] ?? '') ?? ''),
  );
  return { ...body, tags, expertAnswers };
}
