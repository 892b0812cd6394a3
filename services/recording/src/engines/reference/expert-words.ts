import { contrastedIn } from './contrasts.ts';
import { meaningOf } from './meaning.ts';
import { type Token, tokensOf, wordsOf } from './tokens.ts';

const questionTokensMax = 200;
const expertTokensMax = 1000;

/** What a question and its expert answer are about, as far as all points share it. */
export interface ExpertWords {
  /** Stems of the question's words. */
  asked: ReadonlySet<string>;
  /** Stems of the question's and the expert answer's words. */
  stems: ReadonlySet<string>;
  /** Stems of what the question sets side by side and the expert answer speaks of. */
  subjects: ReadonlySet<string>;
  /** What the expert answer says, as one vector of unit length. */
  meaning: Float32Array;
  /** How many different words of content the expert answer has. */
  length: number;
}

/** "Liveness and readiness probes" sets two things side by side: what both are called is no subject by itself. */
function subjectsOf(question: string, expert: readonly Token[]): Set<string> {
  const contrasted = contrastedIn(question);
  const shared = new Set(
    expert.flatMap(({ stem, clause }, at) =>
      expert[at - 1]?.clause === clause && contrasted.has(expert[at - 1]!.stem) && contrasted.has(stem) ? [stem] : [],
    ),
  );
  const said = new Set(expert.map(({ stem }) => stem));
  return new Set([...contrasted].filter((stem) => said.has(stem) && !shared.has(stem)));
}

/** Reads a question and its expert answer. */
export function expertWordsOf(question: string, expertAnswer: string): ExpertWords {
  const questionTokens = tokensOf(wordsOf(question), questionTokensMax);
  const expert = tokensOf(wordsOf(expertAnswer), expertTokensMax);
  const asked = new Set(questionTokens.map(({ stem }) => stem));
  const said = new Set(expert.filter(({ weight }) => weight > 0).map(({ stem }) => stem));
  return {
    asked,
    stems: new Set([...questionTokens.filter(({ weight }) => weight > 0).map(({ stem }) => stem), ...said]),
    subjects: subjectsOf(question, expert),
    meaning: meaningOf(expert, asked),
    length: said.size,
  };
}
