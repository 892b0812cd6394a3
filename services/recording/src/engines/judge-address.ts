/** Prompt injection: sentences addressed to the judge, not to the interviewer. */
const addresses = [
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instruction|prompt|rule|rubric|criteri|guideline|above|previous|expert)/,
  /\b(?:give|grant|award|assign|return|output|set|mark|grade|rate|score|count|accept|treat|consider|judge)\b.{0,50}\b(?:full|maximum|highest|perfect|top|hundred|100|correct|complete|pass|passed|covered|made)\b.{0,30}\b(?:mark|score|point|percent|credit|grade|answer|correct|answer)/,
  /\b(?:mark|grade|rate|score|count|accept|treat|judge)\b.{0,30}\b(?:this|my|the|it|me|candidate)\b.{0,30}\b(?:as )?(?:correct|right|complete|full|perfect|passed|hundred|100)/,
  /\b(?:dear|attention|note to|message to|to)\b.{0,10}\b(?:the )?(?:judge|grader|assessor|examiner|evaluator|marker|ai|assistant|model)\b/,
  /\b(?:system prompt|developer note|developer mode|system message|jailbreak|end of candidate|language model)\b/,
  /\byou are (?:now )?(?:a |an |the )?\w*(?:grader|judge|assistant|examiner|assessor|evaluator|ai)\b/,
  /\b(?:this|my) answer (?:is|was|covers|contains|deserves)\b.{0,40}\b(?:correct|complete|perfect|right|all|every|full|hundred|100|excellent)/,
  /\b(?:hundred percent|100 ?%|full marks|full score|maximum score|highest score|perfect score|all (?:the )?points)\b/,
  /^\W*(?:judge|grader|assessor|examiner|evaluator|marker|system)\s*[,:]/,
  /\byou are (?:grading|judging|assessing|marking|scoring|evaluating)\b/,
  /\bi(?: have|['’]ve)\b.{0,20}\b(?:answered|explained|described|covered|addressed)\b.{0,80}\b(?:correctly|completely|fully|in full|perfectly|exactly)\b/,
  /\b(?:question|answer|explanation|every point|all points)\b.{0,60}\b(?:is|are|was|were|been)\b.{0,20}\b(?:answered|explained|described|covered|stated)\b.{0,30}\b(?:correctly|completely|fully|in full|perfectly|well)\b/,
  /\b(?:is|are|was|were|been)\b.{0,20}\b(?:answered|explained|described|covered|stated|addressed)\b.{0,10}\b(?:in full|fully|completely)\b/,
  /\b(?:every|each|all|no) (?:of the )?points?\b.{0,40}\b(?:satisfied|covered|met|made|missing)\b/,
  /\b(?:assessment|grading|evaluation|judg(?:e)?ment) (?:result|outcome|verdict|score)\b|\bverdict\s*:|\b(?:do not|don['’]t) deduct\b/,
  /\b(?:every|any|each|all) answers?\b.{0,60}\b(?:graded|scored|marked|judged|rated)\b/,
  /"(?:score|points|verdict|percentage|correctness\w*)"\s*:/,
];
const sentence = /[^.!?\n]+[.!?\n]*\s*/g;
const longestAddressed = 60;

/** The parts of a text that address the judge, as ranges of characters; short sentences are matched whole. */
function judgeAddresses(text: string): { from: number; to: number }[] {
  const ranges: { from: number; to: number }[] = [];
  for (const { 0: found, index } of text.matchAll(sentence)) {
    const lower = found.toLowerCase();
    const isShort = found.split(/\s+/).length <= longestAddressed;
    for (const address of addresses) {
      const match = address.exec(lower);
      if (!match) continue;
      ranges.push(
        isShort
          ? { from: index, to: index + found.length }
          : { from: index + match.index, to: index + match.index + match[0].length },
      );
      if (isShort) break;
    }
  }
  return ranges;
}

/** Replaces words that address the judge with full stops, so that the indexes of the other words stay. */
export function withoutJudgeAddresses(words: readonly string[]): string[] {
  const ranges = judgeAddresses(words.join(' '));
  let at = 0;
  return words.map((word) => {
    const middle = at + word.length / 2;
    at += word.length + 1;
    return ranges.some(({ from, to }) => middle >= from && middle < to) ? '.' : word;
  });
}
