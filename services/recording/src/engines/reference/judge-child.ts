/** The child process of the built-in judge: its model on ONNX Runtime, one thread. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Tokenizer } from '@huggingface/tokenizers';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { serveJobs } from '../../children/serve-jobs.ts';
import type { JudgeJob, JudgeStep } from './judge-model.ts';
import { modelFolder } from './model-file.ts';

/** The maximum lengths in training, in word pieces. */
const longest = { question: 40, statement: 64, passage: 200 };
/** The batch size, including padding; a longer row is a batch of its own. Larger batches take more memory and save no time. */
const piecesPerBatch = 320;

const pieces = (await readFile(new URL('vocab.txt', modelFolder), 'utf8')).split('\n').filter(Boolean);
const vocab = Object.fromEntries(pieces.map((piece, id) => [piece, id]));
const tokenizer = new Tokenizer(
  {
    model: { type: 'WordPiece', vocab, unk_token: '[UNK]', continuing_subword_prefix: '##' },
    normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, lowercase: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: null,
    decoder: null,
    added_tokens: [],
  },
  {},
);
const [classify, separate] = [vocab['[CLS]']!, vocab['[SEP]']!];
const session = await InferenceSession.create(fileURLToPath(new URL('point-judge.onnx', modelFolder)), {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  // Batches differ in length: an arena would hold on to the peak of them all.
  enableCpuMemArena: false,
});

const idsOf = (text: string, limit: number): number[] =>
  tokenizer.encode(text, { add_special_tokens: false }).ids.slice(0, limit);
const sigmoid = (logit: number): number => 1 / (1 + Math.exp(-logit));

/** The word pieces of one pair: question and statement, then the passage. */
interface Row {
  first: readonly number[];
  second: readonly number[];
}

const lengthOf = ({ first, second }: Row): number => first.length + second.length;

/** The logits of a batch: `made` and `contradicted` of each row in turn. */
async function logitsOf(rows: readonly Row[]): Promise<Float32Array> {
  const width = Math.max(...rows.map(lengthOf));
  const ids = new BigInt64Array(rows.length * width);
  const types = new BigInt64Array(rows.length * width);
  for (const [row, { first, second }] of rows.entries()) {
    for (const [at, id] of [...first, ...second].entries()) ids[row * width + at] = BigInt(id);
    types.fill(1n, row * width + first.length, row * width + first.length + second.length);
  }
  const { logits } = await session.run({
    input_ids: new Tensor('int64', ids, [rows.length, width]),
    token_type_ids: new Tensor('int64', types, [rows.length, width]),
  });
  return logits!.data as Float32Array;
}

serveJobs<JudgeJob, JudgeStep, null>(async ({ question, pairs }, report) => {
  const asked = [classify, ...idsOf(question, longest.question), separate];
  // The same texts recur in many pairs.
  const known = new Map<string, number[]>();
  const piecesOf = (text: string, limit: number) => {
    const ids = known.get(text) ?? [...idsOf(text, limit), separate];
    known.set(text, ids);
    return ids;
  };
  const rows = pairs.map(([statement, passage], at) => ({
    first: [...asked, ...piecesOf(statement, longest.statement)],
    second: piecesOf(passage, longest.passage),
    at,
  }));
  // Group rows of similar length to minimize padding.
  rows.sort((a, b) => lengthOf(a) - lengthOf(b));
  while (rows.length > 0) {
    const tooMany = rows.findIndex((row, at) => (at + 1) * lengthOf(row) > piecesPerBatch);
    const batch = rows.splice(0, tooMany === -1 ? rows.length : tooMany);
    const logits = await logitsOf(batch);
    report(
      batch.map(({ at }, row) => ({
        at,
        made: sigmoid(logits[2 * row]!),
        contradicted: sigmoid(logits[2 * row + 1]!),
      })),
    );
  }
  return null;
});
