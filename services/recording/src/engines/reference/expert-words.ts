import { meaningOf } from './meaning.ts';
import { type Rivals, rivalsOf } from './rivals.ts';
import { tokensOf, wordsOf } from './tokens.ts';

const questionTokensMax = 200;
const expertTokensMax = 1000;

/** What a question and its expert answer are about, as far as all points share it. */
export interface ExpertWords {
  /** Stems of the question's words. */
  asked: ReadonlySet<string>;
  /** Stems of the question's and the expert answer's words. */
  stems: ReadonlySet<string>;
  /** What may be taken for one another, in groups. */
  rivals: readonly Rivals[];
  /** What the expert answer says, as one vector of unit length. */
  meaning: Float32Array;
  /** How many different words of content the expert answer has. */
  length: number;
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
    rivals: rivalsOf(question, asked, expert),
    meaning: meaningOf(expert, asked),
    length: said.size,
  };
}
