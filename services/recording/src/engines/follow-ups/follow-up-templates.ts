/** A kind of point, recognized by a cue in its wording. The first match wins. */
interface PointKind {
  name: string;
  cue: RegExp;
  /** The question, with {topic} for a term of the point. */
  question: string;
}

/** The reference engine's templates for one language. */
interface FollowUpTemplates {
  /** Precedes the question: `named` if the answer mentioned the topic, else the other. */
  named: string;
  unnamed: string;
  kinds: readonly PointKind[];
  /** The question if no cue matches. */
  otherwise: string;
}

/** By ISO 639-1 code. In other languages the reference engine asks no follow-up questions. */
export const followUpTemplates: Readonly<Record<string, FollowUpTemplates>> = {
  en: {
    named: 'You mentioned “{topic}”.',
    unnamed: 'You have not mentioned “{topic}” yet.',
    kinds: [
      {
        name: 'example',
        cue: /\b(?:for example|for instance|such as|e\.g)\b/i,
        question: 'Can you give me an example of that?',
      },
      {
        name: 'contrast',
        cue: /\b(?:whereas|while|unlike|instead of|rather than|in contrast|differs?|on the other hand|compared)\b/i,
        question: 'How does that compare with what you described?',
      },
      {
        name: 'reason',
        cue: /\b(?:because|so that|therefore|that is why|the reason|due to|which means)\b/i,
        question: 'Why does that matter here?',
      },
      {
        name: 'caution',
        cue: /\b(?:avoid|never|must not|should not|cannot|can not|beware|careful|drawback|problem|risk|danger|pitfall|fails?|wrong)\b/i,
        question: 'What can go wrong there, and how would you deal with it?',
      },
      {
        name: 'cost',
        cue: /\bO\([^)]*\)|\b(?:linear|quadratic|logarithmic|constant|exponential) (?:time|space)\b/i,
        question: 'What does that cost, in time or in memory?',
      },
      {
        name: 'number',
        // Not version numbers such as Java 21.
        cue: /(?<!\p{Lu}[\p{L}.]* )\b\d+(?:[.,]\d+)?\b(?! ?bits?\b)|\bper ?cent\b/u,
        question: 'What figures would you expect there?',
      },
      {
        name: 'order',
        cue: /\b(?:first|then|next|before|after|afterwards|finally|last|until|order)\b/i,
        question: 'How does that work, step by step?',
      },
      {
        name: 'condition',
        cue: /\b(?:if|when|whenever|unless|only|depends?|as long as)\b/i,
        question: 'When does that matter, and when does it not?',
      },
      {
        name: 'purpose',
        cue: /\b(?:used? (?:to|for)|allows?|lets?|helps?|makes? it|in order to|useful|so we can|purpose|to (?:keep|make|find|avoid|reduce|protect))\b/i,
        question: 'What would you use that for?',
      },
      {
        name: 'definition',
        cue: /^(?:an?|the)?\s*[\p{L}\p{N}' -]{1,40}\s(?:is|are|means?|describes?|refers? to|consists? of)\b/iu,
        question: 'How would you explain that to a colleague?',
      },
    ],
    otherwise: 'How does that fit in here?',
  },
};
