import { bindingsOf, contrastedIn } from './bindings.ts';
import { tokensOf, wordsOf } from './tokens.ts';

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
  /** For each stem the subjects that it is said of; null among them where it is said of none. */
  bindings: ReadonlyMap<string, ReadonlySet<string | null>>;
}

/** Reads a question and its expert answer. */
export function expertWordsOf(question: string, expertAnswer: string): ExpertWords {
  const questionTokens = tokensOf(wordsOf(question), questionTokensMax);
  const expert = tokensOf(wordsOf(expertAnswer), expertTokensMax);
  const stated = new Set(expert.map(({ stem }) => stem));
  const subjects = new Set([...contrastedIn(question)].filter((stem) => stated.has(stem)));
  return {
    asked: new Set(questionTokens.map(({ stem }) => stem)),
    stems: new Set([...questionTokens, ...expert].filter(({ weight }) => weight > 0).map(({ stem }) => stem)),
    subjects,
    bindings: bindingsOf(expert, subjects),
  };
}
