import { doubleMetaphone } from 'double-metaphone';
import { reloadable } from '../../idle/reloadable.ts';
import { complexityOf, complexityPattern } from './complexities.ts';
import {
  clauseBreaks,
  conditionals,
  functionWords,
  numberBefore,
  numberWords,
  pronounBefore,
} from './english-words.ts';
import { markNegations } from './negations.ts';
import { withoutSmallTalk } from './small-talk.ts';
import { stemOf } from './stem.ts';
import type { AnalysedWord, Token, TokenKind } from './token.ts';
import { vectorOf } from './word-vectors.ts';
import { wordWeight } from './word-weight.ts';

const wordMaxLength = 40;
/** "One" before a word of at least this weight is a number. */
const countedWeight = 0.4;

/** Texts repeat their words: each is analysed once. Bounded, so that memory stays flat. */
const cacheLimit = 4000;
const analysedWords = reloadable(() => new Map<string, AnalysedWord>());

function analyse(text: string, kind: TokenKind): AnalysedWord {
  const cache = analysedWords();
  const key = `${kind} ${text}`;
  const known = cache.get(key);
  if (known) return known;
  const isWord = kind === 'word';
  const stem = isWord ? stemOf(text) : text;
  const weight = isWord ? wordWeight(text, stem) : 1;
  const analysed: AnalysedWord = {
    kind,
    text,
    stem,
    sound: isWord ? doubleMetaphone(text)[0].replaceAll(/[AH]/g, '') : '',
    weight,
    vector: isWord && weight > 0 ? vectorOf(text) : null,
  };
  if (cache.size >= cacheLimit) cache.clear();
  cache.set(key, analysed);
  return analysed;
}

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll(/\bcannot\b/g, 'can not')
    .replaceAll(/\bcan't\b/g, 'can not')
    .replaceAll(/\bwon't\b/g, 'will not')
    .replaceAll(/n't\b/g, ' not')
    .replaceAll(/\bnon-/g, 'non')
    .replaceAll(/(?<=\d) ?%/g, ' percent')
    .replaceAll(/'s\b/g, '');

const identifier = /[a-z_$][a-z0-9_$]*(?:\.[a-z_$][a-z0-9_$]*)+(?:\(\))?/;
const word = /[\p{L}\p{N}]+(?:\+\+|#(?!\w))?/u;
const number = /\d+(?:[.,]\d+)+/;
const mark = /[.!?](?=\s|$)|\n|[,;:]/;
const pattern = new RegExp(
  [complexityPattern, identifier, number, word, mark].map(({ source }) => `(${source})`).join('|'),
  'gu',
);
const abbreviations = new Set(['e.g', 'i.e', 'a.k.a', 'w.r.t']);

interface Piece {
  text: string;
  kind: TokenKind | 'mark';
}

function piecesOf(match: RegExpMatchArray): Piece[] {
  const [whole, complexity, dotted, decimal, plainWord] = match;
  if (complexity) return [{ text: complexityOf(complexity), kind: 'complexity' }];
  if (dotted) return abbreviations.has(dotted) ? [] : [{ text: dotted.replaceAll(/[^a-z0-9]/g, ''), kind: 'word' }];
  if (decimal) return [{ text: decimal.replaceAll(',', ''), kind: 'number' }];
  if (!plainWord) return [{ text: whole, kind: 'mark' }];
  const digits = numberWords.get(plainWord) ?? plainWord;
  return [/^(?:\d+|[nkm])$/.test(digits) ? { text: digits, kind: 'number' } : { text: plainWord, kind: 'word' }];
}

/** "One" is a number before a word of content, and after "exactly" or "than"; else a pronoun. */
function markOnes(tokens: readonly Token[]): void {
  for (const [at, token] of tokens.entries()) {
    if (token.text !== 'one') continue;
    const [before, after] = [tokens[at - 1], tokens[at + 1]];
    const counts =
      after?.clause === token.clause && after.weight >= countedWeight && !pronounBefore.has(before?.text ?? '');
    const isListed = after?.kind === 'number';
    if (counts || isListed || (before && numberBefore.has(before.text))) Object.assign(token, analyse('1', 'number'));
  }
}

const isPercent = (text: string): boolean => text === 'percent' || text === 'percentage';

const isTens = ({ kind, text }: Token): boolean => kind === 'number' && /^[2-9]0$/.test(text);

/** A piece with the indexes of the first and the last written word that it comes from. */
interface PlacedPiece extends Piece {
  source: number;
  lastSource: number;
}

function placedPieces(words: readonly string[]): PlacedPiece[] {
  const starts: number[] = [];
  let text = '';
  for (const one of words) {
    starts.push(text.length);
    text += `${plain(one.slice(0, wordMaxLength * 4))} `;
  }
  let source = 0;
  return [...text.matchAll(pattern)].flatMap((match) => {
    while (starts[source + 1] !== undefined && starts[source + 1]! <= match.index) source += 1;
    let lastSource = source;
    const end = match.index + match[0].length;
    while (starts[lastSource + 1] !== undefined && starts[lastSource + 1]! < end) lastSource += 1;
    return piecesOf(match).map((piece) => ({ ...piece, source, lastSource }));
  });
}

/** At most `limit` tokens of a list of words; small talk makes none. */
export function tokensOf(words: readonly string[], limit: number): Token[] {
  const tokens: Token[] = [];
  let sentence = 0;
  let clause = 0;
  let stretch = 0;
  let conditional = false;
  for (const { text, kind, source, lastSource } of withoutSmallTalk(placedPieces(words))) {
    if (kind === 'mark') {
      clause += 1;
      stretch += 1;
      conditional = false;
      if (!/[,:]/.test(text)) sentence += 1;
      continue;
    }
    if (tokens.length >= limit) break;
    if (clauseBreaks.has(text)) {
      clause += 1;
      conditional = conditionals.has(text);
    }
    const last = tokens.at(-1);
    if (last && isTens(last) && kind === 'number' && /^[1-9]$/.test(text) && last.clause === clause) {
      // "Sixty-four" is one number.
      Object.assign(last, analyse(String(Number(last.text) + Number(text)), 'number'), { lastSource });
      continue;
    }
    if (last?.kind === 'number' && isPercent(text)) {
      Object.assign(last, analyse(String(Number(last.text) / 100), 'number'), { lastSource });
      continue;
    }
    tokens.push({
      ...analyse(text.slice(0, wordMaxLength), kind),
      source,
      lastSource,
      sentence,
      clause,
      stretch,
      negated: false,
      inNegative: false,
      conditional,
      underNegative: false,
    });
  }
  markOnes(tokens);
  markNegations(tokens);
  return tokens;
}

/** The words of a text, as whitespace parts them. */
export function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((one) => one !== '');
}

/** Whether a token only carries grammar. */
export function isGrammar({ text }: Token): boolean {
  return functionWords.has(text);
}
